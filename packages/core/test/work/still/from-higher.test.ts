import { describe, expect, it } from 'vitest'
import type { Candidate, Scorer } from '../../../src/encoding/request.ts'
import { withHigher } from '../../../src/work/still/from-higher.ts'
import type { Judging } from '../../../src/work/still/guarded.ts'

const scorer: Scorer = {
  score: async () => 100,
  ofPart: () => scorer,
  scorePixels: () => 100,
  areTrialsSampled: false,
  sample: async () => 100,
  samplePixels: () => 100,
  scoreAndSample: () => ({ whole: 100, sampled: 100 }),
  judgePixels: (_data, _kind, score) => ({ kept: 100, score }),
  promiseKeptBy: async (_encoded, _kind, score) => ({ kept: 100, score }),
  dispose() {},
}

const result = (score: number, bytes: number, damaged = false): Candidate => ({
  data: new Uint8Array(bytes),
  type: 'image/jpeg',
  score,
  kind: 'block',
  ...(damaged && { damaged: true as const }),
})

const judging: Judging = {
  choose: (candidates) =>
    candidates.filter(({ damaged }) => damaged !== true).toSorted((a, b) => a.data.length - b.data.length)[0],
  scorer,
  promise: 80,
}

/** The candidates, and the promises that were searched for. */
async function tried(given: readonly Candidate[], bytes: Readonly<Record<number, number>>) {
  const promises: number[] = []
  const all = await withHigher(given, judging, async (_type, score) => {
    promises.push(score)
    return [result(score + 0.2, bytes[score] ?? Infinity)]
  })
  return { promises, bytes: judging.choose(all)?.data.length }
}

describe('a result that was raised', () => {
  it('is what a higher promise that it keeps finds, where that has fewer bytes', async () => {
    expect(await tried([result(80.4, 500, true), result(85.4, 1000)], { 85: 900 })).toEqual({
      promises: [85],
      bytes: 900,
    })
    expect(await tried([result(80.4, 500, true), result(85.4, 1000)], { 85: 1100 })).toEqual({
      promises: [85],
      bytes: 1000,
    })
    expect(await tried([result(80.4, 500, true), result(91, 1000)], { 85: 1100, 90: 950 })).toEqual({
      promises: [85, 90],
      bytes: 950,
    })
  })

  it('is what one that it nearly keeps finds, where it has few bytes', async () => {
    expect(await tried([result(80.4, 500, true), result(82.6, 1000)], { 85: 900 })).toEqual({
      promises: [85],
      bytes: 900,
    })
  })

  it('is not searched for again where it keeps no higher promise, or where no guard has raised it', async () => {
    expect(await tried([result(80.4, 500, true), result(84.9, 5000)], {})).toEqual({ promises: [], bytes: 5000 })
    expect(await tried([result(80.4, 500, true), result(82.4, 1000)], {})).toEqual({ promises: [], bytes: 1000 })
    expect(await tried([result(92, 1000)], {})).toEqual({ promises: [], bytes: 1000 })
  })
})
