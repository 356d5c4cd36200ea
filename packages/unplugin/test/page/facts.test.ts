import { naming } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { resultFacts } from '../../page/facts.ts'

const made = {
  type: 'image/webp',
  width: 90,
  height: 60,
  size: 2500,
  source: { type: 'image/png', width: 180, height: 120, size: 10_000 },
  score: 81.234,
  why: 'It is the smallest.',
  notes: ['It is the smallest.', 'It was cropped.'],
}

it('a result is told with its source, its score, its reason, what it would be and its notes, each once', () => {
  expect(resultFacts({ made, wouldBe: 'would be 2.1 kB as AVIF' })).toEqual([
    ['source', 'PNG, 180 × 120, 10.0 kB'],
    ['result', 'WebP, 90 × 60, 2.5 kB'],
    ['score', naming('81.2', '100', 'SSIMULACRA2')],
    ['why', expect.stringContaining('is the smallest')],
    ["convert: 'auto'", 'would be 2.1 kB as AVIF'],
    ['note', 'It was cropped.'],
  ])
})

it('nothing is told of an image before it was made, and nothing that is unknown', () => {
  expect(resultFacts({ made: undefined, wouldBe: undefined })).toEqual([])
  const plain = { ...made, score: undefined, why: undefined, notes: [] }
  expect(resultFacts({ made: plain, wouldBe: undefined }).map(([name]) => name)).toEqual(['source', 'result'])
})
