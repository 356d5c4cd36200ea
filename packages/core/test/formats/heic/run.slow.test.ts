import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { naming } from '@pixpress/testkit'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { heicRules } from '../../../src/base/versions.ts'
import { decodeHeic } from '../../../src/formats/heic/decoder.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'

const optimizer = createOptimizer({ concurrency: 1 })
afterAll(() => optimizer.close())

const PNG = { convert: { type: 'image/png' }, quality: 100, effort: 'fast' } as const

const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/inputs/${name}.heic`, import.meta.url))

const [WIDTH, HEIGHT] = [96, 64]

/** The colour that the fixtures have at a place, as far as HEVC at a high quality keeps it. */
const drawn = (x: number, y: number): readonly number[] => [40 + 2 * x, 60 + 2 * y, 200 - x]

/** The largest difference of a colour from what was drawn, of 255; left of `until` where the rest is transparent. */
async function farthest(data: Uint8Array, until = WIDTH): Promise<number> {
  const { data: shown, info } = await sharp(data)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: WIDTH, height: HEIGHT })
  let most = 0
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < until; x++) {
      for (const [channel, value] of drawn(x, y).entries()) {
        most = Math.max(most, Math.abs(shown[(y * WIDTH + x) * 3 + channel]! - value))
      }
    }
  }
  return most
}

describe('HEIC as an input', () => {
  it.each(['plain', 'profile', 'copyright'])(
    'has the colours that were drawn, also with a profile: %s',
    async (name) => {
      const { data, info } = await optimizer.optimize(fixture(name), PNG)
      expect(info).toMatchObject({ type: 'image/png', hasAlpha: false })
      expect(await farthest(data)).toBeLessThanOrEqual(6)
    },
  )

  it('keeps transparency', async () => {
    const { data, info } = await optimizer.optimize(fixture('cut'), PNG)
    expect(info).toMatchObject({ hasAlpha: true })
    // The edge of what is transparent is drawn by HEVC as well.
    expect(await farthest(data, 40)).toBeLessThanOrEqual(6)
    const { channels } = await sharp(data).stats()
    expect(channels[3]).toMatchObject({ min: 0, max: 255 })
  })

  it('becomes WebP or AVIF, also smaller, with its copyright where that is asked for', async () => {
    const options = { convert: { type: 'image/webp' }, resize: { method: 'scale', width: 48 }, effort: 'fast' } as const
    const { data, info } = await optimizer.optimize(fixture('copyright'), { ...options, preserve: ['copyright'] })
    expect(info).toMatchObject({ type: 'image/webp', width: 48, height: 32 })
    expect((await sharp(data).metadata()).exif?.toString('latin1')).toContain('Anna Example')
    const avif = await optimizer.optimize(fixture('plain'), { convert: { type: 'image/avif' }, effort: 'fast' })
    expect(avif.info.type).toBe('image/avif')
  })

  it('stays as it is without another type, and a note says what that would save', async () => {
    const { data, notes } = await optimizer.optimize(fixture('plain'))
    expect(Buffer.from(data).equals(fixture('plain'))).toBe(true)
    expect(notes).toEqual([naming('HEIC', "'convert'")])
  })

  it('stays as it is where it is a sequence, and cannot be converted', async () => {
    const sequence = withBrand(fixture('plain'), 'hevc')
    const { notes } = await optimizer.optimize(sequence)
    expect(notes).toEqual([expect.stringContaining('HEIC')])
    await expect(optimizer.optimize(sequence, PNG)).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('HEIC'),
    })
  })

  it.each([
    ['cut short', fixture('plain').subarray(0, -300)],
    ['with other bytes for its picture', withoutPicture(fixture('plain'))],
  ])('is told as damaged, once: %s', async (_, source) => {
    const log = vi.spyOn(console, 'log')
    await expect(optimizer.optimize(source, PNG)).rejects.toMatchObject({ code: 'DECODE_FAILED' })
    expect(log).not.toHaveBeenCalled()
    log.mockRestore()
  })

  it('leaves the console as it was, also where several are decoded at once', async () => {
    const { log } = console
    await Promise.all([decodeHeic(fixture('plain')), decodeHeic(fixture('cut')), decodeHeic(fixture('profile'))])
    expect(console.log).toBe(log)
  })

  it('has the versions of its decoder in its identity', () => {
    expect(heicRules()).toEqual([expect.stringMatching(/^heic-decode 2\./), expect.stringMatching(/^libheif-js \d/)])
  })
})

function withBrand(source: Buffer, brand: string): Buffer {
  const file = Buffer.from(source)
  file.write(brand, 8, 'latin1')
  return file
}

function withoutPicture(source: Buffer): Buffer {
  return Buffer.from(source).fill(0xaa, source.indexOf('mdat') + 4)
}
