import type { ImageType } from '../base/types.ts'
import type { Picture } from './picture.ts'
import type { Candidate } from './request.ts'
import { blockKindOf } from './result-kind.ts'
import { settingAt, typicalScore } from './search.ts'
import type { Curve, Found } from './search.ts'

/** The means by which a block codec makes the next better result. */
export interface Raising {
  readonly type: ImageType
  readonly picture: Picture
  /** Highest quality setting. */
  readonly max: number
  readonly curve: Curve
  /** A result above this many bytes is of no use. Default: no limit. */
  readonly mostBytes?: number | undefined
  encode(quality: number): Promise<Uint8Array>
  score(encoded: Uint8Array): Promise<number>
  /** Makes a result better than the highest setting allows. Default: there is none. */
  beyond?(): Promise<Candidate | undefined>
}

/** If the first raise takes too many bytes, it is halved at most this many times. */
const MOST_HALVINGS = 2

/**
 * Wraps a result of a block codec, so that a caller can raise its setting if a guard finds damage.
 * @param from the setting that it was raised from
 */
export function raisable(found: Pick<Found, 'data' | 'quality' | 'score'>, how: Raising, from?: number): Candidate {
  const { data, quality, score } = found
  const { type, picture, max, curve, mostBytes = Infinity } = how
  return {
    data,
    type,
    score,
    kind: blockKindOf(picture),
    async raise(points) {
      if (quality >= max) return how.beyond?.()
      let next = settingAt(curve, typicalScore(curve, quality) + points, quality + 1, max)
      let better = await how.encode(next)
      for (let left = from === undefined ? MOST_HALVINGS : 0; better.length > mostBytes && left > 0; left--) {
        if (next === quality + 1) break
        next = Math.floor((quality + next) / 2)
        better = await how.encode(next)
      }
      if (better.length > mostBytes) return undefined
      return raisable({ data: better, quality: next, score: await how.score(better) }, how, quality)
    },
    ...(from !== undefined &&
      quality - from > 1 && {
        async halfway() {
          const middle = (typicalScore(curve, from) + typicalScore(curve, quality)) / 2
          const between = settingAt(curve, middle, from + 1, quality - 1)
          const smaller = await how.encode(between)
          return raisable({ data: smaller, quality: between, score: await how.score(smaller) }, how)
        },
      }),
  }
}
