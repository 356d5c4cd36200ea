import { detectType } from '../base/detect.ts'
import type { Plan } from '../plan/plan.ts'
import type { InputType } from '../base/types.ts'
import type { Judgement } from '../work/steps/job.ts'

/** The result of another tool for the same request. */
export interface MadeElsewhere {
  readonly data: Uint8Array
  /**
   * The tool's own picture before it was encoded, without loss: with it, a result is judged by what its encoder has
   * lost and not by how the tool resizes. Absent where the tool hands on the source as it is.
   */
  readonly lossless?: Uint8Array
}

/** The same judgement in figures. */
export interface Baseline {
  /** MIME type. */
  readonly type: InputType
  /** Bytes. */
  readonly size: number
  /** Absent where it cannot be compared, as animations and drawn vectors cannot. */
  readonly judgement?: Judgement
}

/**
 * Raised whenever another judgement is made of the same pictures: a part of the identity under which baselines are
 * cached.
 */
export const BASELINE_REVISION = 1

/** The source itself loses nothing. */
const UNTOUCHED: Judgement = { score: 100, kept: 100 }

/** @param judge gives `undefined` where the two cannot be compared */
export async function measureBaseline(
  { source, type }: Pick<Plan, 'source' | 'type'>,
  { data, lossless }: MadeElsewhere,
  judge: (shown: Uint8Array, type: InputType, encoded: Uint8Array) => Promise<Judgement | undefined>,
): Promise<Baseline> {
  const found = { type: detectType(data) ?? type, size: data.length }
  if (Buffer.compare(source, data) === 0) return { ...found, judgement: UNTOUCHED }
  const shownType = lossless && detectType(lossless)
  const judgement = shownType && (await judge(lossless!, shownType, data))
  return { ...found, ...(judgement && { judgement }) }
}
