import { describe, expect, it } from 'vitest'
import { colourIn, flatten } from '../../src/colour/background.ts'
import { needsWideGamut, toSrgb } from '../../src/colour/gamut.ts'
import { shrinkRaster } from '../../src/resample/shrink.ts'
import { toBytes } from '../../src/resample/transfer.ts'
import { draw } from '../work/steps/rasters.ts'

/** Light of Display P3: calm colours, and a square of pure red. */
const picture = (side: number, alpha = 255) => {
  const raster = draw(100, 100, (x, y) => (x < side && y < side ? [255, 0, 0, alpha] : [120, 110, 100, 255]))
  return shrinkRaster(raster, raster)
}

/** Calm colours, and a square of a red a little beyond that of sRGB, which is 234, 51, 35 here. */
const faint = (side: number) => {
  const raster = draw(100, 100, (x, y) => (x < side && y < side ? [242, 47, 28] : [120, 110, 100]))
  return shrinkRaster(raster, raster)
}

describe('gamut', () => {
  it('is wide where a thousandth of the pixels would change', () => {
    expect(needsWideGamut(picture(0))).toBe(false)
    expect(needsWideGamut(picture(3))).toBe(false)
    expect(needsWideGamut(picture(4))).toBe(true)
    expect(needsWideGamut(picture(100))).toBe(true)
  })

  it('is wide where a fiftieth of the pixels change too little to be noticed one by one', () => {
    expect(needsWideGamut(faint(14))).toBe(false)
    expect(needsWideGamut(faint(15))).toBe(true)
  })

  it('does not count what is nearly transparent, or changes unseen', () => {
    expect(needsWideGamut(picture(50, 10))).toBe(false)
    // A red that is just beyond sRGB, whose own is 234, 51, 35 here.
    const raster = draw(40, 40, () => [235, 50, 34])
    expect(needsWideGamut(shrinkRaster(raster, raster))).toBe(false)
  })

  it('becomes sRGB exactly where that can be', () => {
    const raster = draw(2, 1, (x) => (x === 0 ? [234, 51, 35, 77] : [128, 128, 128, 255]))
    expect([...toBytes(toSrgb(shrinkRaster(raster, raster)))]).toEqual([255, 0, 0, 77, 128, 128, 128, 255])
  })

  it('has the colour of a fill in its own numbers', () => {
    expect(colourIn('srgb', '#ff8000')).toEqual([255, 128, 0])
    expect(colourIn('display-p3', '#ff0000')).toEqual([234, 51, 35])
    expect(colourIn('display-p3', '#ffffff')).toEqual([255, 255, 255])
  })

  it('fills as browsers blend', () => {
    const pixels = Uint8Array.from([0, 0, 0, 0, 200, 100, 0, 128, 9, 8, 7, 255])
    expect([...flatten(pixels, [255, 255, 255])]).toEqual([255, 255, 255, 227, 177, 127, 9, 8, 7])
  })
})
