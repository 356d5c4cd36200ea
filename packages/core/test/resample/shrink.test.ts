import { describe, expect, it } from 'vitest'
import type { GammaRaster } from '../../src/resample/raster.ts'
import { lightLoss } from '../../src/resample/light-loss.ts'
import { shrinkRaster } from '../../src/resample/shrink.ts'
import { toBytes, WHITE } from '../../src/resample/transfer.ts'
import type { Size } from '../../src/resample/size.ts'
import { checks, draw, flat } from '../work/steps/rasters.ts'

describe('shrinkRaster', () => {
  it('means light over blocks that cover the source exactly', () => {
    const columns = draw(7, 2, (x) => (x === 6 ? [255, 255, 255] : [0, 0, 0]))
    const { data } = shrinkRaster(columns, { width: 3, height: 1 })
    // Blocks of 2, 3 and 2 pixels: half of the last is white.
    expect([data[0], data[3], data[6]]).toEqual([0, 0, Math.round(WHITE / 2)])
  })

  it('turns samples into light and back without a change where blocks have one pixel', () => {
    const ramp = draw(256, 1, (x) => [x, 255 - x, x, 255])
    expect(toBytes(shrinkRaster(ramp, ramp))).toEqual(ramp.data)
  })

  it('weighs colours by their alpha', () => {
    const pair = draw(2, 1, (x) => (x === 0 ? [255, 0, 0, 255] : [0, 255, 0, 0]))
    expect([...toBytes(shrinkRaster(pair, { width: 1, height: 1 }))]).toEqual([255, 0, 0, 128])
  })
})

const lossOf = (raster: GammaRaster, size: Size): Uint8Array => lightLoss({ ...raster, channels: 3 }, size)

describe('lightLoss', () => {
  it('is what averages of samples lack', () => {
    const loss = lossOf(checks(64, 64), { width: 16, height: 16 })
    expect(loss.length).toBe(16 * 16 * 3)
    // 188 − 127.5
    expect(loss.every((value) => value === 60 || value === 61)).toBe(true)
  })

  it('is nothing in plain areas', () => {
    expect(lossOf(flat(50, 40, [7, 99, 201]), { width: 11, height: 9 }).every((value) => value === 0)).toBe(true)
  })

  it('adds up exactly in blocks of any size', () => {
    const side = 700
    const loss = lossOf(checks(side, side), { width: 1, height: 1 })
    expect([...loss]).toEqual([61, 61, 61].map(() => loss[0]))
    expect(Math.abs(loss[0]! - 60.5)).toBeLessThanOrEqual(0.5)
  })
})
