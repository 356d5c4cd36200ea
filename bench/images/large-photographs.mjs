import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { randomNumbers } from './random.mjs'
import { imagesBelow } from './source-files.mjs'

const [WIDTH, HEIGHT] = [4000, 3000]
const [TILE_WIDTH, TILE_HEIGHT] = [1000, 750]

/**
 * Makes photographs of 12 megapixels, `0.jpg`, `1.jpg`, …: mosaics of mirrored photographs, so that every part has the
 * detail of a real one. They are the same in every run. Returns their names.
 * @param from folder of the photographs, JPEG files
 */
export async function makeLargePhotographs(into, { from, count }) {
  await mkdir(into, { recursive: true })
  const photographs = (await imagesBelow(from)).filter((file) => /\.jpe?g$/i.test(file))
  const next = randomNumbers(12)
  const names = []
  for (let index = 0; index < count; index++) {
    const tiles = []
    for (let top = 0; top < HEIGHT; top += TILE_HEIGHT) {
      for (let left = 0; left < WIDTH; left += TILE_WIDTH) {
        const file = photographs[Math.floor(next() * photographs.length)]
        const tile = sharp(file)
          .autoOrient()
          .resize(TILE_WIDTH, TILE_HEIGHT)
          .flop(next() < 0.5)
        tiles.push({ input: await tile.png({ compressionLevel: 0 }).toBuffer(), left, top })
      }
    }
    const mosaic = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#888' } }).composite(tiles)
    names.push(`${index}.jpg`)
    await mosaic.jpeg({ quality: 92 }).toFile(path.join(into, `${index}.jpg`))
  }
  return names
}
