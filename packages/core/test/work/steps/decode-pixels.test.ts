import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { buildProfile } from '../../../src/colour/build-profile.ts'
import { DISPLAY_P3, SRGB } from '../../../src/colour/colour-space.ts'
import type { ColourSpace } from '../../../src/colour/colour-space.ts'
import { decodePixels } from '../../../src/work/steps/decode-pixels.ts'
import { toSrgb } from '../../../src/colour/gamut.ts'
import { shrinkRaster } from '../../../src/resample/shrink.ts'
import { createPicture, fromPictureIn16Bits } from '../../../src/encoding/picture.ts'
import { toBytes } from '../../../src/resample/transfer.ts'
import { probeImage } from '../../../src/work/steps/probe.ts'
import type { InputType } from '../../../src/base/types.ts'
import { gama, iccp, withChunks } from '../../colour/png-chunks.ts'
import { lightnessProfile } from '../../colour/profiles.ts'
import { ADOBE_RGB, PROPHOTO } from '../../colour/spaces.ts'

const LIMITS = { maxBytes: 1e9, maxPixels: 1e9, maxFrames: 1, timeout: 1e6 }
const COLOURS = [
  [128, 128, 128],
  [190, 110, 90],
  [60, 90, 70],
  [255, 255, 255],
  [0, 0, 0],
] as const

/** A PNG of one colour, given in 8 bits. */
function flat(colour: readonly number[], bits: 8 | 16): Promise<Buffer> {
  const samples = Array.from({ length: 8 * 8 }, () => colour).flat()
  const data = bits === 8 ? Uint8Array.from(samples) : Uint16Array.from(samples, (sample) => sample * 257)
  return sharp(data, { raw: { width: 8, height: 8, channels: 3 } })
    .toColourspace(bits === 8 ? 'srgb' : 'rgb16')
    .png()
    .toBuffer()
}

/** The first pixel as sRGB, and the space that was kept. */
async function decode(file: Uint8Array, type: InputType = 'image/png') {
  const { raster, space } = await decodePixels(file, await probeImage(file, type, LIMITS), LIMITS.maxPixels)
  const shown = space === 'srgb' ? raster : toSrgb(shrinkRaster(raster, raster))
  return { space, pixel: [...toBytes(shown).subarray(0, 3)], raster }
}

const expectNear = (pixel: readonly number[], expected: readonly number[], slack: number): void =>
  pixel.forEach((value, index) => expect(Math.abs(value - expected[index]!)).toBeLessThanOrEqual(slack))

describe('decodePixels', () => {
  it.each<[string, ColourSpace, 8 | 16]>([
    ['sRGB', SRGB, 8],
    ['sRGB', SRGB, 16],
    ['Display P3', DISPLAY_P3, 8],
    ['Display P3', DISPLAY_P3, 16],
    ['Adobe RGB', ADOBE_RGB, 8],
    ['Adobe RGB', ADOBE_RGB, 16],
    ['ProPhoto', PROPHOTO, 8],
    ['ProPhoto', PROPHOTO, 16],
  ])('shows %s as Little CMS does (%#)', async (_, space, bits) => {
    for (const colour of COLOURS) {
      const profile = iccp(buildProfile(space, 'x'))
      const byLittleCms = await sharp(withChunks(await flat(colour, 8), profile))
        .raw()
        .toBuffer()
      const { pixel } = await decode(withChunks(await flat(colour, bits), profile))
      expectNear(pixel, [...byLittleCms.subarray(0, 3)], 1)
    }
  })

  it('keeps what lies beyond sRGB', async () => {
    const red = await decode(withChunks(await flat([255, 0, 0], 8), iccp(buildProfile(DISPLAY_P3, 'x'))))
    expect(red.space).toBe('display-p3')
    expect([...toBytes(red.raster).subarray(0, 3)]).toEqual([255, 0, 0])
    const file = withChunks(await flat([0, 255, 0], 16), iccp(buildProfile(ADOBE_RGB, 'x')))
    const green = await decode(file)
    const wide = sharp(file).pipelineColourspace('rgb16').withIccProfile('p3', { attach: false })
    const byLittleCms = await wide.toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer()
    expect(green.space).toBe('display-p3')
    // Little CMS's tables for 16 bits are slightly wrong in the corners.
    expectNear(
      [...toBytes(green.raster).subarray(0, 3)],
      [1, 3, 5].map((at) => byLittleCms[at]!),
      5,
    )
    expect((await decode(await flat([255, 0, 0], 8))).space).toBe('srgb')
  })

  it('shows saturated colours of 16 bits in sRGB as they are', async () => {
    for (const colour of [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [10, 200, 90],
    ])
      expect((await decode(withChunks(await flat(colour, 16), iccp(buildProfile(SRGB, 'x'))))).pixel).toEqual(colour)
  })

  it('cuts 16 bits of PNG down to 8, as browsers do', async () => {
    const ramp = Uint16Array.from({ length: 4096 * 3 }, (_, index) => Math.floor(index / 3) * 16)
    const file = await sharp(ramp, { raw: { width: 4096, height: 1, channels: 3 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer()
    const bytes = toBytes((await decode(file)).raster)
    for (let x = 0; x < 4096; x++) expect(bytes[x * 3]).toBe((x * 16) >> 8)
  })

  it('has the largest value for white of 10 bits', async () => {
    const white = createPicture({ data: Buffer.alloc(48 * 48 * 3, 255), width: 48, height: 48, channels: 3 })
    const avif = await fromPictureIn16Bits(white).avif({ lossless: true, effort: 0, bitdepth: 10 }).toBuffer()
    const { raster } = await decode(avif, 'image/avif')
    expect([raster.encoding, raster.data[0]]).toEqual(['gamma16', 65_535])
  })

  it('follows gAMA, in 8 and 16 bits, colour and grey', async () => {
    // Half the light is 188 in sRGB.
    for (const bits of [8, 16] as const) {
      const { pixel } = await decode(withChunks(await flat([128, 128, 128], bits), gama(1)))
      expectNear(pixel, [188, 188, 188], 1)
    }
    const grey = await sharp(Buffer.alloc(64, 128), { raw: { width: 8, height: 8, channels: 1 } })
      .toColourspace('b-w')
      .png()
      .toBuffer()
    expectNear((await decode(withChunks(grey, gama(1)))).pixel, [188, 188, 188], 1)
  })

  it('ignores a profile of noise, and one that is not for its pixels', async () => {
    const file = await flat([200, 100, 50], 8)
    const noise = Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 73) % 256))
    expect((await decode(withChunks(file, iccp(noise)))).pixel).toEqual([200, 100, 50])
    const grey = await sharp(Buffer.alloc(64, 90), { raw: { width: 8, height: 8, channels: 1 } })
      .toColourspace('b-w')
      .png()
      .toBuffer()
    expectNear((await decode(withChunks(grey, iccp(lightnessProfile())))).pixel, [90, 90, 90], 0)
  })

  it('applies a profile of RGB to grey, as browsers do', async () => {
    const grey = await sharp(Buffer.alloc(64, 90), { raw: { width: 8, height: 8, channels: 1 } })
      .toColourspace('b-w')
      .png()
      .toBuffer()
    const file = withChunks(grey, iccp(buildProfile(PROPHOTO, 'x')))
    // 90 of 255 to the power of 1.8 is 0.1535 of the light, which sRGB has at 110.
    expectNear((await decode(file)).pixel, [110, 110, 110], 1)
  })

  it('multiplies what inks leave of the light where no profile says more', async () => {
    const inks = Buffer.from(Array.from({ length: 64 }, () => [51, 102, 204, 85]).flat())
    const raw = sharp(inks, { raw: { width: 8, height: 8, channels: 4 } }).removeAlpha()
    const file = await raw.toColourspace('cmyk').jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer()
    const stored = sharp(file).pipelineColourspace('cmyk').toColourspace('cmyk')
    const [c = 0, m = 0, y = 0, k = 0] = await stored.raw().toBuffer()
    const expected = [c, m, y].map((ink) => Math.floor(((255 - ink) * (255 - k)) / 255))
    expect((await decode(file, 'image/jpeg')).pixel).toEqual(expected)
  })

  it.each([true, false])('shows CMYK, which Adobe inverts, the right way round (with a profile: %s)', async (icc) => {
    const decodeInks = async (colour: readonly number[]): Promise<number[]> => {
      const cmyk = sharp(await flat(colour, 8)).toColourspace('cmyk')
      const file = await (icc ? cmyk.withIccProfile('cmyk') : cmyk).jpeg({ quality: 100 }).toBuffer()
      const metadata = await sharp(file).metadata()
      expect([metadata.space, metadata.icc !== undefined]).toEqual(['cmyk', icc])
      return (await decode(file, 'image/jpeg')).pixel
    }
    // The conversion to CMYK is not exact, so the test checks only properties of every CMYK conversion: no ink is
    // white, and tone and hue keep their order.
    expectNear(await decodeInks([255, 255, 255]), [255, 255, 255], 2)
    const greens = []
    for (const level of [220, 128, 60, 20]) greens.push((await decodeInks([level, level, level]))[1]!)
    expect(greens).toEqual(greens.toSorted((a, b) => b - a))
    expect(greens[0]! - greens[3]!).toBeGreaterThan(120)
    for (const [strongest, colour] of [
      [170, 90, 80],
      [80, 130, 90],
      [80, 95, 150],
    ].entries()) {
      const pixel = await decodeInks(colour)
      expect(pixel.indexOf(Math.max(...pixel))).toBe(strongest)
      expect(Math.max(...pixel) - Math.min(...pixel)).toBeGreaterThan(20)
    }
  })

  it('turns pixels upright before anything else', async () => {
    const data = Buffer.alloc(4 * 2 * 3)
    data.set([255, 0, 0])
    const file = await sharp(data, { raw: { width: 4, height: 2, channels: 3 } })
      .withMetadata({ orientation: 6 })
      .png()
      .toBuffer()
    const { raster } = await decode(withChunks(file, gama(0.5)))
    expect([raster.width, raster.height]).toEqual([2, 4])
    expect(raster.data[3]! > 0 && raster.data[0] === 0).toBe(true)
  })
})
