import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { quantisePng } from '../../src/encoding/quantise.ts'

/** So wide that most of the work is drawing the random numbers of the first row. */
const WIDTH = 12_000
const pixels = Buffer.alloc(WIDTH * 3)
for (let x = 0; x < WIDTH; x++) pixels.set([x & 255, (x >> 3) & 255, (x >> 6) & 255], x * 3)
const wide = (): Sharp => sharp(pixels, { raw: { width: WIDTH, height: 1, channels: 3 } })

const OPTIONS = { colours: 16, effort: 1 }

async function versions(encode: () => Promise<Buffer>): Promise<number> {
  const made = await Promise.all(Array.from({ length: 60 }, encode))
  return new Set(made.map((png) => png.toString('base64'))).size
}

describe('quantisePng', () => {
  it('gives the same bytes, however many are dithered at once', async () => {
    expect(await versions(() => quantisePng(wide(), OPTIONS, { compressionLevel: 6 }))).toBe(1)
  })

  it('lets those without dithering run side by side, which are the same anyway', async () => {
    expect(await versions(() => quantisePng(wide(), { ...OPTIONS, dither: 0 }, { compressionLevel: 6 }))).toBe(1)
  })

  it('goes on after one that failed', async () => {
    const broken = sharp(Buffer.from('no image'))
    await expect(quantisePng(broken, OPTIONS, { compressionLevel: 6 })).rejects.toThrow('unsupported image format')
    expect((await quantisePng(wide(), OPTIONS, { compressionLevel: 6 })).length).toBeGreaterThan(0)
  })
})
