import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { DISPLAY_P3, SRGB } from '../../../src/colour/colour-space.ts'
import { avifInDisplayP3 } from '../../../src/formats/avif/colour.ts'
import { buildProfile } from '../../../src/colour/build-profile.ts'
import { codecOf } from '../../../src/formats/index.ts'
import { isSrgb } from '../../../src/colour/code-points.ts'
import type { ColourSpace } from '../../../src/colour/colour-space.ts'
import type { InputType } from '../../../src/base/types.ts'
import { chrm, chunk, gama, iccp, withChunks, words } from '../../colour/png-chunks.ts'

/** Returns the colour space that a file describes without a profile, unless it is sRGB. */
function describedSpace(source: Uint8Array, type: InputType): ColourSpace | undefined {
  const space = codecOf(type).colourSpace?.(source)
  return space === undefined || isSrgb(space) ? undefined : space
}

let png: Buffer
let avif: Buffer

beforeAll(async () => {
  const flat = sharp({ create: { width: 20, height: 10, channels: 3, background: '#285' } })
  png = await flat.png().toBuffer()
  avif = await flat.avif({ effort: 0 }).toBuffer()
})

const SRGB_XY = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
const P3_XY = [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]
const cicp = (...codes: number[]): Buffer => chunk('cICP', Buffer.from(codes))
const ofPng = (...chunks: Buffer[]) => describedSpace(withChunks(png, ...chunks), 'image/png')

describe('a described colour space', () => {
  it('is nothing where the file says nothing, or sRGB', () => {
    expect(ofPng()).toBeUndefined()
    expect(ofPng(gama(1 / 2.2))).toBeUndefined()
    expect(ofPng(gama(0.47))).toBeUndefined()
    expect(ofPng(chrm(...P3_XY))).toBeUndefined()
    expect(ofPng(cicp(1, 13, 0, 1))).toBeUndefined()
    expect(describedSpace(avif, 'image/avif')).toBeUndefined()
    expect(describedSpace(png, 'image/jpeg')).toBeUndefined()
  })

  it('follows gAMA and cHRM', () => {
    expect(ofPng(gama(1))).toEqual({ ...SRGB, transfer: 1 })
    expect(ofPng(gama(0.5))).toEqual({ ...SRGB, transfer: 2 })
    expect(ofPng(gama(0.16))?.transfer).toBeCloseTo(6.25)
    // Browsers take the very power where both are given, and nothing from `cHRM` alone.
    expect(ofPng(gama(1 / 2.2), chrm(...P3_XY))).toEqual({
      ...DISPLAY_P3,
      transfer: 100_000 / Math.round(100_000 / 2.2),
    })
    expect(ofPng(gama(0.5), chrm(...SRGB_XY))).toEqual({ ...SRGB, transfer: 2 })
  })

  it('lets sRGB and ICC profiles outrank them, and cICP all', () => {
    expect(ofPng(chunk('sRGB', Buffer.from([0])), gama(1))).toBeUndefined()
    expect(ofPng(iccp(buildProfile(SRGB, 'x')), gama(1))).toBeUndefined()
    expect(ofPng(cicp(12, 13, 0, 1), iccp(buildProfile(SRGB, 'x')))).toEqual(DISPLAY_P3)
  })

  it('ignores what is damaged, impossible, or of high dynamic range', () => {
    const broken = gama(1)
    broken[9] = broken[9]! ^ 1
    expect(ofPng(broken)).toBeUndefined()
    expect(ofPng(chunk('gAMA', words(0)))).toBeUndefined()
    expect(ofPng(chunk('gAMA', Buffer.from([1])))).toBeUndefined()
    expect(ofPng(gama(1), chrm(0, 0, 0, 0, 0, 0, 0, 0))).toBeUndefined()
    expect(ofPng(gama(1), chrm(0.3127, 0.329, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4))).toBeUndefined()
    expect(ofPng(cicp(9, 16, 0, 1))).toBeUndefined()
    for (let length = 0; length < png.length; length += 5)
      expect(() => describedSpace(withChunks(png, gama(1)).subarray(0, length), 'image/png')).not.toThrow()
  })

  it("follows AVIF's nclx", () => {
    expect(describedSpace(avifInDisplayP3(avif), 'image/avif')).toEqual(DISPLAY_P3)
  })
})
