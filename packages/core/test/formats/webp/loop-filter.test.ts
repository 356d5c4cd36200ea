import sharp from 'sharp'
import type { WebpOptions } from 'sharp'
import { describe, expect, it } from 'vitest'
import { loopFilterLevel, withLoopFilter } from '../../../src/formats/webp/loop-filter.ts'
import { cutout, graphic, open, photo } from '../../images.ts'

const pixelsOf = (data: Uint8Array): Promise<Buffer> => sharp(data, { failOn: 'error' }).raw().toBuffer()

const alphaOf = (data: Uint8Array): Promise<Buffer> => sharp(data).extractChannel(3).raw().toBuffer()

const photograph = (options: WebpOptions, [width, height]: readonly number[] = [240, 180]): Promise<Buffer> =>
  open(photo(width!, height!)).webp(options).toBuffer()

function meanDifference(one: Uint8Array, other: Uint8Array): number {
  expect(one).toHaveLength(other.length)
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length
}

describe('withLoopFilter', () => {
  it.each([
    ['at the least effort', { effort: 0, quality: 60 }, undefined],
    ['of a low quality', { effort: 4, quality: 5 }, undefined],
    ['of a high quality', { effort: 4, quality: 90 }, undefined],
    ['at the greatest effort', { effort: 6, quality: 75 }, undefined],
    ['with careful conversion of colours', { effort: 4, quality: 80, smartSubsample: true }, undefined],
    ['whose filter was chosen block by block', { effort: 4, quality: 70, smartDeblock: true }, undefined],
    ['of sides that blocks do not fill', { effort: 4, quality: 75 }, [237, 61]],
    ['of one pixel', { effort: 4, quality: 75 }, [1, 1]],
  ])('writes the very bytes of a file %s again, with the level that it has', async (_, options, size) => {
    const file = await photograph(options, size)
    const level = loopFilterLevel(file)!
    expect(Buffer.from(withLoopFilter(file, level)!).equals(file)).toBe(true)
    const bare = withLoopFilter(file, 0)!
    expect(loopFilterLevel(bare)).toBe(0)
    expect(Buffer.from(withLoopFilter(bare, level)!).equals(file)).toBe(true)
  })

  it('leaves the picture what it is but for the smoothing of edges', async () => {
    const file = await photograph({ effort: 4, quality: 60 })
    const [before, after] = await Promise.all([file, withLoopFilter(file, 0)!].map(pixelsOf))
    expect(loopFilterLevel(file)).toBeGreaterThan(0)
    const difference = meanDifference(before!, after!)
    expect(difference).toBeGreaterThan(0)
    expect(difference).toBeLessThan(2)
  })

  it('keeps the alpha channel beside the frame', async () => {
    const file = await open(cutout()).webp({ quality: 70, alphaQuality: 80 }).toBuffer()
    const bare = withLoopFilter(file, 0)!
    expect((await alphaOf(bare)).equals(await alphaOf(file))).toBe(true)
    expect(bare.length % 2).toBe(0)
    expect(new DataView(bare.buffer, bare.byteOffset).getUint32(4, true)).toBe(bare.length - 8)
  })

  it('returns nothing for files without loss, animations, other types, and those that end too early', async () => {
    const lossless = await open(graphic(64, 48)).webp({ lossless: true }).toBuffer()
    const frames = Buffer.concat([graphic(32, 32), photo(32, 32)].map(({ data }) => Buffer.from(data)))
    const animation = await sharp(frames, { raw: { width: 32, height: 64, channels: 3, pageHeight: 32 } })
      .webp({ quality: 60 })
      .toBuffer()
    const file = await photograph({ quality: 80 })
    const png = await open(photo(20, 20)).png().toBuffer()
    for (const other of [lossless, animation, png, file.subarray(0, 60), file.subarray(0, 200), new Uint8Array()]) {
      expect(withLoopFilter(other, 0)).toBeUndefined()
    }
    const size = file.readUIntLE(20, 3)
    const cut = Buffer.from(file)
    // The first partition claims a tenth of its bytes, so that the modes of most blocks are missing.
    cut.writeUIntLE((size & 0x1f) | (((size >> 5) / 10) << 5), 20, 3)
    expect(withLoopFilter(cut, 0)).toBeUndefined()
  })
})

describe('loopFilterLevel', () => {
  it('reads a level that falls with the quality', async () => {
    const levels = await Promise.all(
      [5, 30, 75].map(async (quality) => loopFilterLevel(await photograph({ effort: 0, quality }))!),
    )
    expect(levels).toEqual([...levels].sort((one, other) => other - one))
    expect(levels[0]).toBeGreaterThan(levels[2]!)
  })
})
