import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { optimize } from '../../src/index.ts'
import { resolveOperations } from '../../src/operations/index.ts'
import { animation, open, photo } from '../images.ts'

/** A texture in whose transparent pixels there are values. */
async function texture(): Promise<Buffer> {
  const { data, width, height } = photo(64, 48)
  const pixels = Buffer.from(
    Array.from({ length: width * height }, (_, at) => [...data.subarray(at * 3, at * 3 + 3), at % 256]).flat(),
  )
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

const words = (png: Uint8Array): Promise<Buffer> =>
  sharp(png).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer()

const raw = (data: Uint8Array): Promise<Buffer> => sharp(data).raw().toBuffer()

describe('lossless', () => {
  it.each([undefined, 'png', 'webp', 'avif'] as const)(
    'keeps every value, also of transparent pixels, as %s',
    async (type) => {
      const source = await texture()
      const result = await optimize(source, { lossless: true, ...(type !== undefined && { convert: { type } }) })
      expect(result).toMatchObject({ kept: 'output', score: 100 })
      const before = await raw(source)
      const after = await raw(result.data)
      if (type !== 'avif') expect(after.equals(before)).toBe(true)
      else
        for (let at = 0; at < after.length; at++)
          if (at % 4 === 3 || before[at - (at % 4) + 3] !== 0) expect(after[at]).toBe(before[at])
    },
  )

  it('keeps 16 bits in PNG', async () => {
    const values = Uint16Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 37) % 65_536)
    const source = await sharp(values, { raw: { width: 64, height: 64, channels: 3 } })
      .toColourspace('rgb16')
      .png({ compressionLevel: 0 })
      .toBuffer()
    const { data } = await optimize(source, { lossless: true })
    expect((await words(data)).equals(await words(source))).toBe(true)
  })

  it('only recompresses JPEG, and refuses to make one', async () => {
    const source = await open(photo(120, 90)).jpeg({ quality: 97 }).toBuffer()
    const { data, score } = await optimize(source, { lossless: true, quality: 'small', maxBytes: 100 })
    expect(score).toBe(100)
    expect((await raw(data)).equals(await raw(source))).toBe(true)
    const asked = optimize(await open(photo()).png().toBuffer(), { lossless: true, convert: { type: 'jpeg' } })
    await expect(asked).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('without loss'),
    })
  })

  it('keeps every frame', async () => {
    const { score } = await optimize(await animation('gif'), { lossless: true, convert: { type: 'webp' } })
    expect(score).toBe(100)
  })

  it('is only part of an identity where it is asked for', () => {
    expect(resolveOperations({ lossless: false })).toEqual(resolveOperations())
    expect(resolveOperations({ lossless: true })).toEqual({ ...resolveOperations(), lossless: true })
  })
})
