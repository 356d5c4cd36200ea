import { describe, expect, it } from 'vitest'
import { fitBytes } from '../../../src/work/steps/fit-bytes.ts'
import type { Candidate } from '../../../src/encoding/request.ts'

function encoder(bytesAt: (score: number) => number) {
  const asked: number[] = []
  const encode = async (score: number): Promise<Candidate[]> => {
    asked.push(score)
    return [{ data: new Uint8Array(Math.round(bytesAt(score))), type: 'image/webp', score }]
  }
  return { asked, encode }
}

describe('fitBytes', () => {
  it.each([null, 100_000])('encodes once where the bound is %s', async (maxBytes) => {
    const { asked, encode } = encoder(() => 5000)
    expect(await fitBytes(encode, 80, maxBytes)).toHaveLength(1)
    expect(asked).toEqual([80])
  })

  it.each([
    ['as usual', (score: number) => 200 * 2 ** (score / 20)],
    ['steeply', (score: number) => 200 * 2 ** (score / 8)],
    ['hardly', (score: number) => 2000 + score * 20],
  ])('comes near the bound when bytes grow %s', async (_, bytesAt) => {
    for (const share of [0.95, 0.8, 0.65]) {
      const { asked, encode } = encoder(bytesAt)
      const maxBytes = Math.floor(bytesAt(80) * share)
      const all = await fitBytes(encode, 80, maxBytes)
      const fitting = all.map(({ data }) => data.length).filter((bytes) => bytes <= maxBytes)
      expect(Math.max(...fitting)).toBeGreaterThan(maxBytes * 0.85)
      expect(asked.length).toBeLessThanOrEqual(7)
    }
  })

  it('ends when nothing fits', async () => {
    const { asked, encode } = encoder(() => 5000)
    await fitBytes(encode, 80, 100)
    expect(asked.length).toBeLessThanOrEqual(3)
    expect(Math.min(...asked)).toBe(1)
  })
})
