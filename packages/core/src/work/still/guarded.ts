import type { Candidate, Scorer } from '../../encoding/request.ts'
import type { InputType } from '../../base/types.ts'

/** The least and the most points that a result which a guard refuses is made better by at once. */
const LEAST_RAISE = 1.5
const MOST_RAISE = 8

/** The same after the first time: beyond, single windows passed or failed by chance, and bytes were lost. */
const MOST_RAISE_AGAIN = 4

/** A guard's thresholds double in 20 points, and the damage that block codecs do doubles in about 10. */
const RAISE_PER_MISSING = 0.5

/** Points of a raise from which on one half-way back is tried. */
const LONG_JUMP = 2

/** How often one half-way back is tried in place of one that takes too many bytes to be chosen. */
const MOST_STEPS_BACK = 2

/** What a guard has said of one result of a type. */
interface Judged {
  readonly type: InputType
  readonly score: number
  readonly kept: number
}

/** How candidates are chosen and judged. */
export interface Judging {
  /** The candidate that would be the result. */
  readonly choose: (candidates: readonly Candidate[]) => Candidate | undefined
  readonly scorer: Scorer
  /** The score asked for, to which the guards' thresholds belong. */
  readonly promise: number
  /** Candidates of types that are worth their time only where a guard refuses the best one: made better, it may be the largest. */
  readonly untried?: (() => Promise<readonly Candidate[]>) | undefined
  /** Whether a result that was raised by many points is worth an encode more for fewer bytes. Default `false`. */
  readonly stepsBack?: boolean
}

/**
 * Candidates of which the one that is chosen passes the guards: a block codec's result that does not is marked as damaged,
 * and made again at a higher quality, until what is chosen passes. Only what is chosen is measured, as a guard takes as long
 * as a score and photographs hardly ever fail one.
 */
export async function holdToGuards(
  given: readonly Candidate[],
  { choose, scorer, promise, untried, stepsBack = false }: Judging,
): Promise<readonly Candidate[]> {
  let candidates = given
  let last: Judged | undefined
  let stepsLeft = stepsBack ? MOST_STEPS_BACK : 0
  for (;;) {
    const chosen = choose(candidates)
    if (chosen?.kind === undefined || chosen.damaged === true || chosen.score < promise) return candidates
    const written = chosen.scored ?? chosen.data
    const { kept, score, refusal } = await scorer.promiseKeptBy(written, chosen.kind, chosen.score, promise)
    if (kept >= promise) {
      const jumped = stepsBack && last?.type === chosen.type && score - last.score > LONG_JUMP
      const half = jumped ? await halfBack(chosen, scorer, promise) : undefined
      return half === undefined ? withScore(candidates, chosen, score) : [...candidates, half]
    }
    const judged = { type: chosen.type, score, kept }
    const points = pointsMissing(judged, last, promise)
    last = judged
    let better = await chosen.raise?.(points)
    // In small pictures, a higher setting may score less.
    while (better !== undefined && better.score < promise) better = await better.raise?.(LEAST_RAISE)
    const refused: Candidate = { ...chosen, damaged: true, ...(refusal && { refusal }) }
    const instead = await chosen.instead?.()
    const isFirst = !candidates.some(({ damaged }) => damaged === true)
    candidates = [
      ...candidates.map((each) => (each === chosen ? refused : each)),
      ...(better === undefined ? [] : [better]),
      ...(instead === undefined ? [] : [instead]),
      ...((isFirst && (await untried?.())) || []),
    ]
    if (stepsLeft > 0 && better !== undefined && choose(candidates) !== better) {
      stepsLeft--
      candidates = await withLessRaised(candidates, better, promise)
    }
  }
}

/** Another one half-way to what was refused, where the better one takes too many bytes to be chosen. */
async function withLessRaised(
  candidates: readonly Candidate[],
  better: Candidate,
  promise: number,
): Promise<readonly Candidate[]> {
  const half = await better.halfway?.()
  return half === undefined || half.score < promise ? candidates : [...candidates, half]
}

/** The one half-way back to what was refused, where that passes, too, and is smaller. */
async function halfBack(passing: Candidate, scorer: Scorer, promise: number): Promise<Candidate | undefined> {
  const half = await passing.halfway?.()
  if (half?.kind === undefined || half.score < promise || half.data.length >= passing.data.length) return undefined
  const { kept, score } = await scorer.promiseKeptBy(half.scored ?? half.data, half.kind, half.score)
  return kept >= promise ? { ...half, score } : undefined
}

/** The same where the chosen one has the score that it was searched with: other readers may show it a little worse. */
function withScore(candidates: readonly Candidate[], chosen: Candidate, score: number): readonly Candidate[] {
  if (score === chosen.score) return candidates
  return candidates.map((each) => (each === chosen ? { ...each, score } : each))
}

/** By how the last raise has paid, where there was one: in some drawings the damage stays about the same over many settings. */
function pointsMissing({ type, score, kept }: Judged, last: Judged | undefined, promise: number): number {
  if (last?.type !== type || score <= last.score) {
    return Math.min(MOST_RAISE, Math.max(LEAST_RAISE, (promise - kept) * RAISE_PER_MISSING))
  }
  const missing = (promise - kept) * ((score - last.score) / Math.max(0.1, kept - last.kept))
  return Math.min(MOST_RAISE_AGAIN, Math.max(LEAST_RAISE, missing))
}
