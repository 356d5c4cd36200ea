import { raisable } from './raise.ts'
import type { Raising } from './raise.ts'
import type { Candidate, EncodeRequest } from './request.ts'
import { blockKindOf } from './result-kind.ts'
import { WINDOWS, searchQuality, settingAt, typicalScore } from './search.ts'
import type { Found } from './search.ts'

/**
 * Searches for a block codec's result at the lowest setting above a refused one that also passes the guards. Returns
 * `undefined` if there is none, or none of few enough bytes. Each encode is judged by a guard, which takes little time
 * for small pictures, whose scores jump from setting to setting.
 * @param points by which the refused result is raised at first
 */
export async function lowestKept(
  { quality }: Pick<Found, 'quality'>,
  points: number,
  how: Raising,
  { picture, scorer, target }: Pick<EncodeRequest, 'picture' | 'scorer' | 'target'>,
): Promise<Candidate | undefined> {
  const { curve, max, mostBytes } = how
  const min = quality + 1
  if (min > max) return undefined
  const scores = new Map<Uint8Array, number>()
  const lowest = await searchQuality({
    target,
    window: WINDOWS.max,
    min,
    max,
    curve,
    start: settingAt(curve, typicalScore(curve, quality) + points, min, max),
    mostBytes,
    encode: (setting) => how.encode(setting),
    async score(data) {
      const score = await how.score(data)
      scores.set(data, score)
      if (score < target) return score
      return (await scorer.promiseKeptBy(data, blockKindOf(picture), score)).kept
    },
  })
  if (lowest.tooLarge || lowest.score < target) return undefined
  return raisable({ ...lowest, score: scores.get(lowest.data)! }, how)
}
