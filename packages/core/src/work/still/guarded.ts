import type { Candidate, Scorer } from '../../encoding/request.ts'

/** The least and the most points that a result which a guard refuses is made better by at once. */
const LEAST_RAISE = 1.5
const MOST_RAISE = 8

/** A guard's thresholds double in 20 points, and the damage that block codecs do doubles in about 10. */
const RAISE_PER_MISSING = 0.5

/**
 * Candidates of which the one that is chosen passes the guards: a block codec's result that does not is marked as damaged,
 * and made again at a higher quality, until what is chosen passes. Only what is chosen is measured, as a guard takes as long
 * as a score and photographs hardly ever fail one.
 * @param choose the candidate that would be the result
 * @param promise the score asked for, to which the guards' thresholds belong
 */
export async function holdToGuards(
  given: readonly Candidate[],
  choose: (candidates: readonly Candidate[]) => Candidate | undefined,
  scorer: Scorer,
  promise: number,
): Promise<readonly Candidate[]> {
  let candidates = given
  for (;;) {
    const chosen = choose(candidates)
    if (chosen?.kind === undefined || chosen.damaged === true || chosen.score < promise) return candidates
    const kept = await scorer.promiseKeptBy(chosen.untagged ?? chosen.data, chosen.kind, chosen.score)
    if (kept >= promise) return candidates
    const points = Math.min(MOST_RAISE, Math.max(LEAST_RAISE, (promise - kept) * RAISE_PER_MISSING))
    let better = await chosen.raise?.(points)
    // In small pictures, a higher setting may score less.
    while (better !== undefined && better.score < promise) better = await better.raise?.(LEAST_RAISE)
    candidates = [
      ...candidates.map((each) => (each === chosen ? { ...each, damaged: true as const } : each)),
      ...(better === undefined ? [] : [better]),
    ]
  }
}
