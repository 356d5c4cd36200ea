import { readdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { randomNumbers } from '../images/random.mjs'

/** Width and height of the scenes, in turn. */
const SIZES = [
  [900, 500],
  [500, 900],
  [700, 700],
]

/** Share of a scene's shorter side that its object takes. */
const OBJECT = { least: 0.18, most: 0.4 }

/** Grounds that compete with an object: each draws a pixel's colour from its place. */
const GROUNDS = {
  landscape: (random) => {
    const horizon = 0.3 + random() * 0.4
    const [sky, earth] = [colour(random, 150, 100), colour(random, 40, 120)]
    return (x, y) =>
      y < horizon ? sky.map((part) => part + y * 60) : earth.map((part) => part + (random() - 0.5) * 70)
  },
  bricks: (random) => {
    const brick = colour(random, 60, 140)
    const rows = 8 + Math.floor(random() * 10)
    return (x, y) => {
      const row = Math.floor(y * rows)
      const inRow = (x * rows * 0.5 + (row % 2) * 0.5) % 1
      const isJoint = (y * rows) % 1 < 0.1 || inRow < 0.05
      return isJoint ? [190, 185, 178] : brick.map((part) => part + (random() - 0.5) * 30)
    }
  },
  lights: (random) => {
    const blobs = Array.from({ length: 14 }, () => ({
      x: random(),
      y: random(),
      radius: 0.03 + random() * 0.12,
      light: colour(random, 20, 130),
    }))
    return (x, y) => {
      const sum = [18, 20, 30]
      for (const { x: left, y: top, radius, light } of blobs)
        if (Math.hypot(x - left, y - top) < radius) for (let part = 0; part < 3; part++) sum[part] += light[part]
      return sum
    }
  },
  stripes: (random) => {
    const [one, other] = [colour(random, 60, 160), colour(random, 60, 160)]
    const count = 6 + Math.floor(random() * 14)
    const slant = random() * 2 - 1
    return (x, y) => (((x + y * slant + 2) * count) % 1 < 0.5 ? one : other)
  },
}

/** Pictures of cut-out objects in front of drawn grounds, the same each time: [name, pixels, box]. */
export async function drawScenes(folder) {
  const files = (await readdir(folder)).toSorted()
  const names = Object.keys(GROUNDS)
  return Promise.all(
    files.flatMap((file, index) =>
      [0, 1].map((round) => {
        const number = index * 2 + round
        const ground = names[number % names.length]
        return drawScene(path.join(folder, file), ground, SIZES[number % SIZES.length], randomNumbers(number + 1))
      }),
    ),
  )
}

async function drawScene(file, ground, [width, height], random) {
  const colourAt = GROUNDS[ground](random)
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3)
      colourAt(x / width, y / height).forEach((part, channel) => {
        data[at + channel] = Math.max(0, Math.min(255, Math.round(part)))
      })
  const side = Math.round(Math.min(width, height) * (OBJECT.least + random() * (OBJECT.most - OBJECT.least)))
  const left = Math.floor(random() * (width - side))
  const top = Math.floor(random() * (height - side))
  const object = await sharp(file).resize(side, side, { fit: 'inside' }).png().toBuffer({ resolveWithObject: true })
  const pixels = await sharp(data, { raw: { width, height, channels: 3 } })
    .composite([{ input: object.data, left, top }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const box = { x: left, y: top, w: object.info.width, h: object.info.height }
  return { name: `${path.basename(file)} on ${ground}`, pixels, box }
}

function colour(random, least, range) {
  return Array.from({ length: 3 }, () => least + random() * range)
}
