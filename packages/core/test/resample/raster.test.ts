import { describe, expect, it } from 'vitest'
import { cropRaster, dropOpaqueAlpha, extendRaster, wordsOf } from '../../src/resample/raster.ts'
import { draw } from '../work/steps/rasters.ts'

describe('rasters', () => {
  const raster = draw(4, 3, (x, y) => [x, y, 7])

  it('are cut', () => {
    expect(cropRaster(raster, { left: 0, top: 0, width: 4, height: 3 })).toBe(raster)
    const { data, width, height } = cropRaster(raster, { left: 1, top: 2, width: 2, height: 1 })
    expect([width, height, ...data]).toEqual([2, 1, 1, 2, 7, 2, 2, 7])
  })

  it('are put on a background', () => {
    const small = cropRaster(raster, { left: 3, top: 2, width: 1, height: 1 })
    const { data, width, height } = extendRaster(small, [50, 60, 70], { left: 1, top: 0, width: 2, height: 2 })
    expect([width, height, ...data]).toEqual([2, 2, 50, 60, 70, 3, 2, 7, 50, 60, 70, 50, 60, 70])
  })

  it('lose an alpha that is opaque all over, and no other', () => {
    const opaque = draw(3, 2, (x, y) => [x, y, 7, 255])
    const { channels, data } = dropOpaqueAlpha(opaque)
    expect([channels, ...data]).toEqual([3, 0, 0, 7, 1, 0, 7, 2, 0, 7, 0, 1, 7, 1, 1, 7, 2, 1, 7])
    const one = draw(3, 2, (x, y) => [x, y, 7, x === 2 && y === 1 ? 254 : 255])
    expect(dropOpaqueAlpha(one)).toBe(one)
    expect(dropOpaqueAlpha(raster)).toBe(raster)
  })

  it('have their words wherever a buffer begins', () => {
    const bytes = Buffer.from([9, 1, 2, 3, 4])
    expect([...wordsOf(bytes.subarray(1))]).toEqual([0x0201, 0x0403])
  })
})
