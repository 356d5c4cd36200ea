import { describe, expect, it } from 'vitest'
import { downscale } from '../../src/resample/downscale.ts'
import type { Raster } from '../../src/resample/raster.ts'
import { toBytes } from '../../src/resample/transfer.ts'
import { checks, draw, flat } from '../work/steps/rasters.ts'

const bytesOf = async (raster: Raster, width: number, height: number): Promise<Buffer> => {
  const small = await downscale(raster, { width, height })
  expect([small.width, small.height, small.data.length]).toEqual([width, height, width * height * raster.channels])
  return toBytes(small)
}

const mean = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length

/** The sRGB value that equal parts of black and white resemble from afar: half the light. */
const HALF_LIGHT = 188

describe('downscale', () => {
  it('is nothing where nothing is asked', async () => {
    const raster = flat(8, 6, [1, 2, 3])
    expect(await downscale(raster, { width: 8, height: 6 })).toBe(raster)
  })

  it.each([
    [32, 32],
    [27, 27],
    [16, 16],
    [9, 13],
    [1, 1],
  ])('keeps the brightness of fine checks at %i × %i', async (width, height) => {
    const middle = mean(await bytesOf(checks(64, 64), width, height))
    expect(Math.abs(middle - HALF_LIGHT)).toBeLessThanOrEqual(3)
  })

  it('gives checks scaled to a half the same grey everywhere but at the edges', async () => {
    const bytes = await bytesOf(checks(64, 64), 32, 32)
    for (let y = 4; y < 28; y++)
      for (let x = 4; x < 28; x++) expect(Math.abs(bytes[(y * 32 + x) * 3]! - HALF_LIGHT)).toBeLessThanOrEqual(1)
  })

  it('keeps thin lines as bright between half and full size', async () => {
    const grid = draw(90, 90, (x, y) => (x % 3 === 0 || y % 3 === 0 ? [255, 255, 255] : [0, 0, 0]))
    const light = (5 / 9) * 255
    const bytes = await bytesOf(grid, 60, 60)
    const inLight = bytes.reduce((sum, byte) => sum + 255 * (byte / 255) ** 2.2, 0) / bytes.length
    expect(Math.abs(inLight - light)).toBeLessThan(8)
  })

  it.each([
    [40, 30],
    [17, 11],
  ])('does not touch plain colours (%i × %i)', async (width, height) => {
    for (const colour of [
      [0, 0, 0],
      [255, 255, 255],
      [13, 130, 200],
      [13, 130, 200, 255],
    ]) {
      const bytes = await bytesOf(flat(64, 48, colour), width, height)
      for (let at = 0; at < bytes.length; at++) expect(bytes[at]).toBe(colour[at % colour.length])
    }
  })

  it.each([
    [48, 48],
    [20, 20],
    [7, 7],
  ])('leaves no fringe around what is transparent, whatever colour hides there (%i × %i)', async (width, height) => {
    for (const hidden of [
      [0, 0, 0, 0],
      [255, 0, 255, 0],
    ]) {
      const disc = draw(64, 64, (x, y) => (Math.hypot(x - 31.5, y - 31.5) < 20 ? [200, 120, 40, 255] : hidden))
      const bytes = await bytesOf(disc, width, height)
      let shown = 0
      for (let at = 0; at < bytes.length; at += 4) {
        const alpha = bytes[at + 3]!
        if (alpha < 8) continue
        shown++
        // 8 bits times alpha are all the precision that a faint pixel has.
        const slack = 2 + 255 / alpha
        expect(Math.abs(bytes[at]! - 200)).toBeLessThanOrEqual(slack)
        expect(Math.abs(bytes[at + 1]! - 120)).toBeLessThanOrEqual(slack)
        expect(Math.abs(bytes[at + 2]! - 40)).toBeLessThanOrEqual(slack)
      }
      expect(shown).toBeGreaterThan(10)
    }
  })

  it('does the same with 16 bits', async () => {
    const { data, ...shape } = checks(64, 64)
    const words = { ...shape, encoding: 'gamma16', data: Uint16Array.from(data, (byte) => byte * 257) } as const
    for (const side of [45, 32, 12])
      expect(Math.abs(mean(await bytesOf(words, side, side)) - HALF_LIGHT)).toBeLessThan(3)
  })

  it('is the same every time', async () => {
    const noise = draw(90, 70, (x, y) => [(x * 91 + y * 57) % 256, (x * y) % 256, (x * 13) % 256])
    expect(await bytesOf(noise, 41, 30)).toEqual(await bytesOf(noise, 41, 30))
  })
})
