import { describe, expect, it } from 'vitest'
import { MOZJPEG } from '../../src/formats/jpeg/curves.ts'
import { searchQuality } from '../../src/encoding/search.ts'
import type { Curve, SearchOptions } from '../../src/encoding/search.ts'

interface Made extends Partial<Omit<SearchOptions, 'encode' | 'score'>> {
  /** Bytes by quality. Default: as many. */
  bytes?: (quality: number) => number
}

/** Searches with an encoder whose size and score are any functions of its quality. */
function search(scoreAt: (quality: number) => number, { bytes = (quality) => quality, ...options }: Made = {}) {
  const probes: number[] = []
  const found = searchQuality({
    target: 80,
    window: 0.7,
    min: 20,
    max: 98,
    curve: MOZJPEG[5]['4:2:0'],
    ...options,
    encode: async (quality) => {
      probes.push(quality)
      return new Uint8Array(bytes(quality))
    },
    score: async (_, quality) => scoreAt(quality),
  })
  return { found, probes }
}

const median = (quality: number): number => 20 + quality * 0.72
const easy = (quality: number): number => median(quality) + 14
/** Ten points at one setting, so that no window is ever met. */
const jump = (quality: number): number => (quality < 71 ? 75 : 85)

const MEDIAN: Curve = [
  [0, median(0)],
  [100, median(100)],
]

describe('searchQuality', () => {
  it.each([-25, -10, -3, 0, 3, 10, 25])(
    'keeps the promise when the image is %d points off the median',
    async (offset) => {
      const scoreAt = (quality: number): number => Math.min(100, median(quality) + offset)
      const { found, probes } = search(scoreAt)
      const { quality, score } = await found
      const lowest = Array.from({ length: 79 }, (_, index) => index + 20).find((q) => scoreAt(q) >= 80)
      if (lowest === undefined) {
        expect(quality).toBe(98)
        expect(score).toBeLessThan(80)
      } else {
        expect(score).toBeGreaterThanOrEqual(80)
        expect(score - Math.max(80, scoreAt(20))).toBeLessThan(1.5)
      }
      expect(probes.length).toBeLessThanOrEqual(6)
      expect(new Set(probes).size).toBe(probes.length)
    },
  )

  it('never returns a failing setting where a passing one was seen, however rough the scores are', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const scoreAt = (quality: number): number => median(quality) + (((quality * 7919 * seed) % 13) - 6) / 2
      const { found } = search(scoreAt)
      const { quality, score } = await found
      expect(score >= 80 || quality === 98).toBe(true)
    }
  })

  it('gives the best attempt when nothing reaches the target', async () => {
    const { found } = search(() => 40)
    expect(await found).toMatchObject({ quality: 98, score: 40 })
  })

  it('is deterministic', async () => {
    const once = search((quality) => median(quality) - 4)
    const again = search((quality) => median(quality) - 4)
    expect((await once.found).quality).toBe((await again.found).quality)
    expect(once.probes).toEqual(again.probes)
  })

  it('tries no setting twice where a lower one that passes takes more bytes', async () => {
    const probes: number[] = []
    const found = await searchQuality({
      target: 80,
      window: 0.7,
      min: 1,
      max: 100,
      curve: MOZJPEG[5]['4:2:0'],
      encode: async (quality) => {
        probes.push(quality)
        return new Uint8Array(quality < 70 ? 200 - quality : quality)
      },
      score: async (_, quality) => (quality < 55 ? 60 : 84),
    })
    expect(found).toMatchObject({ score: 84, quality: Math.min(...probes.filter((quality) => quality >= 70)) })
    expect(new Set(probes).size).toBe(probes.length)
  })

  it('halves what is left where the scores have nothing to do with the curve', async () => {
    const { found, probes } = search((quality) => (quality < 30 ? 10 : 90), { min: 1 })
    expect((await found).quality).toBeLessThan(35)
    expect(probes.length).toBeLessThanOrEqual(9)
  })

  it('is given up as soon as the target takes more bytes than are of use', async () => {
    const { found, probes } = search((quality) => median(quality) - 10, { mostBytes: 60 })
    expect((await found).tooLarge).toBe(true)
    expect(probes).toHaveLength(1)
    const wide = await search((quality) => median(quality) - 10, { mostBytes: 110 }).found
    expect(wide.tooLarge).toBe(false)
    expect(wide.score).toBeGreaterThanOrEqual(80)
  })

  it('is given up where two results above the target show that bytes hardly fall with the score', async () => {
    const options = { mostBytes: 900, start: 92 }
    const flat = search(easy, { ...options, bytes: (quality) => 950 + quality })
    expect((await flat.found).tooLarge).toBe(true)
    expect(flat.probes).toHaveLength(2)
    const steep = search(easy, { ...options, bytes: (quality) => 12 * quality })
    expect((await steep.found).tooLarge).toBe(false)
    expect((await steep.found).data.length).toBeLessThan(900)
  })

  it('does not end with its patience where a result takes more bytes than are of use', async () => {
    const nearly = { start: 85, window: 0.25, patience: 1 }
    expect(await search(median, nearly).found).toMatchObject({ quality: 85 })
    const bound = await search(median, { ...nearly, mostBytes: 84 }).found
    expect(bound).toMatchObject({ quality: 84, tooLarge: false })
  })

  it('is of no use where even the lowest setting takes too many bytes', async () => {
    const { found } = search(() => 95, { mostBytes: 100, bytes: (quality) => 100 + quality })
    expect(await found).toMatchObject({ quality: 20, tooLarge: true })
  })

  it('tells where the target should be met', async () => {
    const { expected } = await search(median).found
    expect(Math.abs(median(expected) - 80.28)).toBeLessThan(0.72)
  })

  describe('that is made for another', () => {
    const forecast = { most: 2, near: 2, aim: 0.1 }

    it.each([-12, -6, 6, 12])(
      'tells from two or three encodes where the target should be met (%d points off)',
      async (offset) => {
        const scoreAt = (quality: number): number => median(quality) + offset
        const { found, probes } = search(scoreAt, { forecast })
        const { expected } = await found
        expect(probes).toHaveLength(Math.abs(scoreAt(probes[1]!) - 80) > 6 ? 3 : 2)
        expect(Math.abs(scoreAt(expected) - 80)).toBeLessThan(1.5)
      },
    )

    it('makes no step that is hardly one', async () => {
      const { found, probes } = search((quality) => median(quality) - 1, { forecast, curve: MEDIAN })
      const { expected } = await found
      expect(probes).toHaveLength(1)
      expect(expected).toBeGreaterThan(probes[0]!)
      expect(median(expected) - 1).toBeGreaterThanOrEqual(80)
    })

    it('aims as high above the target as it is told', async () => {
      const low = await search(median, { forecast }).found
      const high = await search(median, { forecast: { ...forecast, aim: 3 } }).found
      expect(high.expected - low.expected).toBeGreaterThanOrEqual(3)
    })
  })

  it('tries a setting lower only where that is as sure to do as it is asked to be', async () => {
    // The first setting is 1.2 points too good; a step lower loses 0.72.
    const settings = { start: 85, slope: 1, patience: 2, window: 0.6, curve: MEDIAN }
    const { found, probes } = search(median, settings)
    expect([(await found).quality, probes]).toEqual([84, [85, 84]])
    const sure = search(median, { ...settings, certainty: 0.5 })
    expect([(await sure.found).quality, sure.probes]).toEqual([85, [85]])
  })

  it('does not try the only setting between two results where it is expected to miss the target', async () => {
    const settings = { start: 84, slope: 1, patience: 2, window: 0.35, curve: MEDIAN, certainty: 0.25 }
    // Two settings are worth 5 points: 86 passes, 84 fails, and 85 is expected half-way.
    const hopeless = search((quality) => (quality < 85 ? 77 : quality === 85 ? 79.5 : 82), settings)
    expect([(await hopeless.found).quality, hopeless.probes]).toEqual([86, expect.not.arrayContaining([85])])
    const near = search((quality) => (quality < 85 ? 79.2 : quality === 85 ? 80.2 : 81.6), settings)
    expect([(await near.found).quality, near.probes]).toEqual([85, expect.arrayContaining([85])])
  })

  it('ends where what passed and what failed are said to be near enough', async () => {
    const all = search(jump)
    const sizes: number[][] = []
    const settled = search(jump, {
      isSettled: (passing, failing) => {
        sizes.push([passing.length, failing.length])
        return passing.length - failing.length < 30
      },
    })
    expect((await all.found).quality).toBe(71)
    const { quality, score } = await settled.found
    expect(score).toBe(85)
    expect(quality).toBeGreaterThan(71)
    expect(settled.probes.length).toBeLessThan(all.probes.length)
    expect(sizes.every(([passing, failing]) => passing! > failing!)).toBe(true)
  })
})
