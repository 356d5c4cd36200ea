import type { OptimizeResult } from '../optimizer/result.ts'
import type { Plan } from '../plan/plan.ts'

/** The operations that decide what is promised of a result. */
type Promising = Pick<Plan['operations'], 'score' | 'encoder' | 'lossless'>

/**
 * The score that a result has to keep. There is none where the settings of its type's encoder were given in place of
 * the search for it, which animations and results without loss do not have.
 */
export function promiseOf(
  { info }: Pick<OptimizeResult, 'info'>,
  { score, encoder, lossless }: Promising,
): number | undefined {
  const isPlain = encoder?.[info.type as keyof typeof encoder] !== undefined
  return isPlain && info.frames === 1 && lossless !== true ? undefined : score
}
