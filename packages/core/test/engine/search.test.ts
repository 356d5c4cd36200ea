import { describe, expect, it } from 'vitest'
import { MOZJPEG_420 } from '../../src/engine/curves.ts'
import { searchQuality } from '../../src/engine/search.ts'

/** An encoder whose size is its quality and whose score is any function of it: what the search sees of a real one. */
function search(
  scoreAt: (quality: number) => number,
  options: { target?: number; min?: number; max?: number; mostBytes?: number } = {},
) {
  const probes: number[] = []
  const found = searchQuality({
    target: 80,
    window: 0.7,
    min: 20,
    max: 98,
    ...options,
    curve: MOZJPEG_420,
    encode: async (quality) => {
      probes.push(quality)
      return new Uint8Array(quality)
    },
    score: async (data) => scoreAt(data.length),
  })
  return { found, probes }
}

const median = (quality: number): number => 20 + quality * 0.72

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
      curve: MOZJPEG_420,
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

  it('tells where the target should be met', async () => {
    const { expected } = await search(median).found
    expect(Math.abs(median(expected) - 80.28)).toBeLessThan(0.72)
  })
})
