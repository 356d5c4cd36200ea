import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from '../bootstrap.mjs'
import { importFrom } from '../import-from.mjs'

const sharp = await importFrom('test', 'sharp')

const CUT = { width: 440, height: 270 }
const GAP = 12
const CAPTION = 34
const ROWS = [
  { file: 'temple.jpg', left: 90, top: 40, convert: undefined },
  { file: 'coffee.png', left: 80, top: 60, convert: { type: ['image/avif', 'image/webp'] } },
]

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`
const typeName = (type) => type.slice('image/'.length).toUpperCase()

/** A line of text as wide as a cut; the second part stands out. */
const caption = (text, strong) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CUT.width}" height="${CAPTION}"><text y="22" font-family="DejaVu Sans, sans-serif" font-size="16" fill="#24303a">${text} <tspan font-weight="bold" fill="#0b6b3a">${strong}</tspan></text></svg>`,
  )

const cut = (data, { left, top }) =>
  sharp(data)
    .autoOrient()
    .extract({ left, top, ...CUT })
    .png()
    .toBuffer()

/**
 * Makes before-after.webp: cuts of two example images, pixel for pixel, as they are in the repository and as pixpress
 * gives them at its defaults.
 */
export async function make({ optimizer, save }) {
  const layers = []
  for (const [index, row] of ROWS.entries()) {
    const source = await readFile(path.join(root, 'examples', 'images', row.file))
    const { data, input, info } = await optimizer.optimize(source, row.convert && { convert: row.convert })
    const top = GAP + index * (CUT.height + CAPTION + GAP)
    const less = `−${Math.round((1 - info.size / input.size) * 100)} %`
    const sides = [
      [source, caption(`${row.file}: ${typeName(input.type)}, ${kilobytes(input.size)}`, '')],
      [data, caption(`pixpress: ${typeName(info.type)}, ${kilobytes(info.size)}`, less)],
    ]
    for (const [column, [image, text]] of sides.entries()) {
      const left = GAP + column * (CUT.width + GAP)
      layers.push({ input: await cut(image, row), left, top }, { input: text, left, top: top + CUT.height })
    }
  }
  const width = 3 * GAP + 2 * CUT.width
  const height = GAP + ROWS.length * (CUT.height + CAPTION + GAP)
  const page = sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
  const picture = await page.composite(layers).png().toBuffer()
  // A score at which nobody can tell the picture from its original, so that it hides no difference between its sides.
  await save('before-after.webp', picture, 90)
}
