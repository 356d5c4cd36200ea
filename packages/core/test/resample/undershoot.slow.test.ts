import { describe, expect, it } from 'vitest'
import { downscale } from '../../src/resample/downscale.ts'
import { toBytes } from '../../src/resample/transfer.ts'
import { withoutUndershoot } from '../../src/resample/undershoot.ts'
import { draw } from '../work/steps/rasters.ts'

const NAVY = [0, 57, 99] as const
const SIZE = { width: 60, height: 60 }

/** Returns a row of grey pixels, with their alphas. */
const source = (levels: readonly number[], alphas?: readonly number[]): Parameters<typeof withoutUndershoot>[1] => ({
  encoding: 'linear16',
  width: levels.length,
  height: 1,
  channels: alphas === undefined ? 3 : 4,
  data: Uint16Array.from(
    levels.flatMap((level, at) => [level, level, level, ...(alphas === undefined ? [] : [alphas[at]!])]),
  ),
})

describe('a smaller picture', () => {
  it.each([
    ['of 8 bits with transparency', 255],
    ['that stands on nothing', 0],
  ])('has no outlines darker than its letters: %s', async (_, alpha) => {
    const letters = draw(81, 81, (x) => (x % 16 < 5 ? [...NAVY, 255] : [255, 255, 255, alpha]))
    const bytes = toBytes(await downscale(letters, SIZE))
    for (let at = 0; at < bytes.length; at += 4) {
      if (bytes[at + 3] === 0) continue
      for (const [channel, level] of NAVY.entries()) expect(bytes[at + channel]).toBeGreaterThanOrEqual(level - 1)
    }
  })
})

describe('withoutUndershoot', () => {
  it('lightens what is darker than all around it, and nothing else', () => {
    const scaled = Uint16Array.from([0, 0, 0, 900, 5000, 200])
    withoutUndershoot(scaled, source([1000, 1000, 1000, 100, 100, 60_000]), { width: 2, height: 1 })
    expect([...scaled]).toEqual([100, 100, 100, 900, 5000, 200])
  })

  it('takes no colour of transparent pixels', () => {
    const scaled = Uint16Array.from([0, 0, 0])
    withoutUndershoot(scaled, source([10, 1000], [0, 65_535]), { width: 1, height: 1 })
    expect([...scaled]).toEqual([1000, 1000, 1000])
    const nothing = Uint16Array.from([7, 7, 7])
    withoutUndershoot(nothing, source([10, 20], [0, 0]), { width: 1, height: 1 })
    expect([...nothing]).toEqual([7, 7, 7])
  })
})
