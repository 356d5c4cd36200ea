import sharp from 'sharp'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { optimize } from '../../../src/index.ts'

const wide = (width: number): Promise<Buffer> =>
  sharp({ create: { width, height: 4, channels: 3, background: '#456789' } })
    .png()
    .toBuffer()

describe('a type that cannot hold an image', () => {
  it.each([
    ['image/webp', 16_384, /20000|16384×4 pixels.*WebP up to 16383/],
    ['image/avif', 16_385, /16385×4 pixels.*AVIF up to 16384/],
    ['image/jpeg', 65_536, /65536×4 pixels.*JPEG up to 65535/],
  ] as const)('is refused by name: %s of %i pixels', async (type, width, message) => {
    const asked = optimize(await wide(width), { convert: { type } })
    await expect(asked).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringMatching(message),
    })
  })

  it('is left out of a list, and holds what is resized', async () => {
    const source = await wide(20_000)
    expect((await optimize(source, { convert: { type: ['webp', 'png'] } })).info.type).toBe('image/png')
    const resize = { method: 'scale', width: 1000 } as const
    expect((await optimize(source, { convert: { type: 'webp' }, resize })).info).toMatchObject({
      type: 'image/webp',
      width: 1000,
    })
  })
})

describe('a damaged GIF', () => {
  const source = readFileSync(new URL('../../fixtures/spinner.gif', import.meta.url))

  it('is refused as what cannot be decoded, whatever is asked for', async () => {
    for (let at = 20; at < source.length; at += Math.ceil(source.length / 12)) {
      const filled = Buffer.from(source).fill(0x55, at)
      for (const operations of [
        {},
        { convert: { type: 'webp' } },
        { resize: { method: 'scale', width: 9 } },
      ] as const) {
        for (const data of [source.subarray(0, at), filled]) {
          const error: unknown = await optimize(data, { effort: 'fast', ...operations }).catch(
            (reason: unknown) => reason,
          )
          if (error instanceof Error) expect(error).toMatchObject({ code: 'DECODE_FAILED' })
        }
      }
    }
  })
})
