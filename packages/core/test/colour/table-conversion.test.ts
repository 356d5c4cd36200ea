import { describe, expect, it } from 'vitest'
import { convertByTables, convertInks } from '../../src/colour/table-conversion.ts'
import { readTableProfile } from '../../src/colour/table-profile.ts'
import type { GammaRaster } from '../../src/resample/raster.ts'
import { toBytes } from '../../src/resample/transfer.ts'
import { lightnessProfile, tableProfile } from './profiles.ts'

const NEUTRAL = 32_896

const raster = (...pixels: readonly (readonly number[])[]): GammaRaster => ({
  encoding: 'gamma8',
  data: Buffer.from(pixels.flat()),
  width: pixels.length,
  height: 1,
  channels: pixels[0]!.length as 3 | 4,
})

/** L* is green. */
const byGreen = tableProfile('RGB ', ([, green = 0]) => [green * 65_535, NEUTRAL, NEUTRAL])

describe('a profile of tables', () => {
  it('gives what stands between the crossings of its grid', () => {
    const profile = readTableProfile(byGreen)!
    expect(profile.channels).toBe(3)
    const converted = convertByTables(raster([9, 0, 200], [0, 127, 0], [0, 255, 0]), profile)
    // L* of 0, 49.8 and 100.
    expect([...toBytes(converted)].filter((_, index) => index % 3 === 1)).toEqual([0, 118, 255])
  })

  it('keeps alpha, and colours grey by the table', () => {
    const converted = convertByTables(raster([0, 255, 0, 77]), readTableProfile(byGreen)!)
    expect([...toBytes(converted)]).toEqual([255, 255, 255, 77])
  })

  it('of inks is looked up without black, as Chromium does', () => {
    // L* falls with cyan, and to nothing with black.
    const inks = tableProfile('CMYK', ([cyan = 0, , , black = 0]) => [
      black === 1 ? 0 : 65_535 - cyan * 32_768,
      NEUTRAL,
      NEUTRAL,
    ])
    const profile = readTableProfile(inks)!
    expect(profile.channels).toBe(4)
    const shown = [...toBytes(convertByTables(raster([255, 255, 255], [0, 255, 255], [0, 0, 0]), profile))]
    expect(shown.filter((_, index) => index % 3 === 1)).toEqual([255, 119, 119])
  })

  it('is not read where it is damaged, or of another kind', () => {
    expect(readTableProfile(lightnessProfile())).toBeUndefined()
    for (const length of [0, 100, 140, 200, byGreen.length - 8]) {
      expect(readTableProfile(byGreen.subarray(0, length))).toBeUndefined()
    }
  })
})

describe('inks without a profile', () => {
  it('take from the light one after the other', () => {
    expect([...convertInks(Uint8Array.of(0, 0, 0, 0, 255, 0, 0, 0, 0, 51, 255, 51))]).toEqual([
      255, 255, 255, 0, 255, 255, 204, 163, 0,
    ])
  })
})
