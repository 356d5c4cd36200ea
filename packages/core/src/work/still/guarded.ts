import type { Candidate, Scorer } from '../../encoding/request.ts'
import type { InputType } from '../../base/types.ts'

/** Smallest and largest number of points by which a refused result is raised at once. */
const LEAST_RAISE = 1.5
const MOST_RAISE = 8

/** Largest raise after the first. Larger ones passed or failed by chance in single windows and wasted bytes. */
const MOST_RAISE_AGAIN = 4

/** The limits of a guard double over 20 points, and the damage of block codecs doubles over about 10. */
const RAISE_PER_MISSING = 0.5

/** After a raise of more points, a result half-way back is tried. */
const LONG_JUMP = 2

/** Maximum number of results half-way back that replace one that takes too many bytes. */
const MOST_STEPS_BACK = 2

/** The judgement of the guards about one result of a type. */
interface Judged {
  readonly type: InputType
  readonly score: number
  readonly kept: number
}

/** The means by which candidates are selected and judged. */
export interface Judging {
  /** Returns the candidate that would be the result. */
  readonly choose: (candidates: readonly Candidate[]) => Candidate | undefined
  readonly scorer: Scorer
  /** The requested score, to which the limits of the guards belong. */
  readonly promise: number
  /**
   * Makes candidates of types that are worth trying only if a guard refuses the best result, because its better version
   * may be larger than they are.
   */
  readonly untried?: (() => Promise<readonly Candidate[]>) | undefined
  /** How many times larger that version has to be for it. Default: 0, whatever it takes. */
  readonly untriedFrom?: number | undefined
  /** `true` if a result that was raised by many points is worth another encode to save bytes. Default: `false`. */
  readonly stepsBack?: boolean
}

/**
 * Makes sure that the selected candidate passes the guards. A block codec's result that fails is marked as damaged and
 * encoded again at a higher quality, until the selected one passes. Only selected results are measured, because guards
 * take as long as a score and photographs hardly ever fail.
 */
export async function holdToGuards(
  given: readonly Candidate[],
  { choose, scorer, promise, untried, untriedFrom = 0, stepsBack = false }: Judging,
): Promise<readonly Candidate[]> {
  let candidates = given
  let last: Judged | undefined
  let hasTried = false
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
    // In small pictures, a higher setting may score lower.
    while (better !== undefined && better.score < promise) better = await better.raise?.(LEAST_RAISE)
    const refused: Candidate = { ...chosen, damaged: true, ...(refusal && { refusal }) }
    const instead = await chosen.instead?.()
    const first = candidates.find(({ damaged }) => damaged === true) ?? refused
    const isMuchLarger = better === undefined || better.data.length >= first.data.length * untriedFrom
    const areTried = hasTried
    hasTried ||= isMuchLarger
    candidates = [
      ...candidates.map((each) => (each === chosen ? refused : each)),
      ...(better === undefined ? [] : [better]),
      ...(instead === undefined ? [] : [instead]),
      ...((isMuchLarger && !areTried && (await untried?.())) || []),
    ]
    if (stepsLeft > 0 && better !== undefined && choose(candidates) !== better) {
      stepsLeft--
      candidates = await withLessRaised(candidates, better, promise)
    }
  }
}

/**
 * Adds a result half-way between the refused and the better one, if the better one takes too many bytes to be selected.
 */
async function withLessRaised(
  candidates: readonly Candidate[],
  better: Candidate,
  promise: number,
): Promise<readonly Candidate[]> {
  const half = await better.halfway?.()
  return half === undefined || half.score < promise ? candidates : [...candidates, half]
}

/** Returns the result half-way back to the refused one, if it passes too and is smaller. */
async function halfBack(passing: Candidate, scorer: Scorer, promise: number): Promise<Candidate | undefined> {
  const half = await passing.halfway?.()
  if (half?.kind === undefined || half.score < promise || half.data.length >= passing.data.length) return undefined
  const { kept, score } = await scorer.promiseKeptBy(half.scored ?? half.data, half.kind, half.score)
  return kept >= promise ? { ...half, score } : undefined
}

/** Replaces the score of the search by the lowest score of all decoders, which may be a little lower. */
function withScore(candidates: readonly Candidate[], chosen: Candidate, score: number): readonly Candidate[] {
  if (score === chosen.score) return candidates
  return candidates.map((each) => (each === chosen ? { ...each, score } : each))
}

/**
 * Estimates the points that are missing, from the effect of the last raise if there was one. In some drawings, the
 * damage stays about the same over many settings.
 */
function pointsMissing({ type, score, kept }: Judged, last: Judged | undefined, promise: number): number {
  if (last?.type !== type || score <= last.score) {
    return Math.min(MOST_RAISE, Math.max(LEAST_RAISE, (promise - kept) * RAISE_PER_MISSING))
  }
  const missing = (promise - kept) * ((score - last.score) / Math.max(0.1, kept - last.kept))
  return Math.min(MOST_RAISE_AGAIN, Math.max(LEAST_RAISE, missing))
}
