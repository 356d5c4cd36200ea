import sharp from 'sharp'
import { openDestination } from '../../packages/batch/dist/index.js'
import { randomNumbers } from '../images/random.mjs'

const [WIDTH, HEIGHT] = [64, 48]

/** Requests at once. */
const AT_ONCE = 32

/** Puts small JPEGs of different pixels into a bucket. They are the same in every run. */
export async function putSources(access, count) {
  const bucket = openDestination('s3://sources', { cwd: '/', access: () => access })
  const numbers = Array.from({ length: count }, (_, index) => index).values()
  const put = async () => {
    for (const number of numbers) {
      const key = `${String(number % 100).padStart(2, '0')}/${String(number).padStart(7, '0')}.jpg`
      await bucket.create(key, { bytes: await picture(number), type: 'image/jpeg' })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, put))
}

/** Draws two soft slopes of colour with some grain. */
function picture(seed) {
  const random = randomNumbers(seed + 1)
  const ends = Array.from({ length: 9 }, () => random() * 255)
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let at = 0; at < pixels.length; at++) {
    const [channel, x, y] = [at % 3, (Math.floor(at / 3) % WIDTH) / WIDTH, Math.floor(at / 3 / WIDTH) / HEIGHT]
    const [from, to, below] = [ends[channel], ends[channel + 3], ends[channel + 6]]
    pixels[at] = Math.max(0, Math.min(255, (from + (to - from) * x) * (1 - y) + below * y + random() * 12))
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
}
