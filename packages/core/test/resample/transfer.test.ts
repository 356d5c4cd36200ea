import { describe, expect, it } from 'vitest'
import { fromLight, lightTable, toByte, toBytes, toLight, WHITE } from '../../src/resample/transfer.ts'

describe('transfer', () => {
  it('is sRGB in both directions', () => {
    expect(toLight(1)).toBeCloseTo(1, 10)
    expect(toLight(0.5)).toBeCloseTo(0.214_041, 5)
    expect(toLight(0.02)).toBeCloseTo(0.02 / 12.92, 10)
    for (let step = 0; step <= 100; step++) expect(fromLight(toLight(step / 100))).toBeCloseTo(step / 100, 6)
  })

  it('tells all 8-bit samples apart in 16 bits of light', () => {
    const table = lightTable('gamma8')
    for (let sample = 1; sample < 256; sample++) expect(table[sample]! - table[sample - 1]!).toBeGreaterThan(8)
  })

  it('takes the nearest of 8 bits', () => {
    for (let byte = 0; byte < 256; byte++) expect(toByte(byte * 257)).toBe(byte)
    for (let word = 0; word <= WHITE; word += 37) expect(toByte(word)).toBe(Math.round(word / 257))
    const words = Uint16Array.of(128 * 257 + 128, 128 * 257 + 129, 0)
    const raster = { encoding: 'gamma16', data: words, width: 1, height: 1, channels: 3 } as const
    expect([...toBytes(raster)]).toEqual([128, 129, 0])
  })
})
