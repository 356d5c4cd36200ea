import { digestOf } from '../base/digest.ts'
import { sha256 } from '../base/sha256.ts'
import { ENGINE_REVISION } from '../base/versions.ts'
import type { OptimizeResult } from '../optimizer/result.ts'
import type { Plan } from '../plan/plan.ts'
import type { LockLine } from './lines.ts'
import { shownOperations } from './locked-operations.ts'

/** A result that is used. */
interface Used {
  /** The name of the source in lines. */
  readonly source: string
  readonly plan: Plan
  readonly result: OptimizeResult
  /** A service makes images of this type. */
  readonly isByService: boolean
}

/**
 * Returns the line of a result, and the one that it follows.
 * @param present lines for the same source with the same operations
 */
export function lineOf(
  present: readonly LockLine[],
  { source, plan, result, isByService }: Used,
): { readonly line: LockLine; readonly former: LockLine | undefined } {
  const key = result.pinned ?? (result.draft ? result.key : plan.key)
  const digest = digestOf(plan.source)
  const former =
    present.find((line) => line.key === key && !isNewer(line)) ?? present.find((line) => line.key === key) ?? present[0]
  const { type, size: bytes } = result.info
  const line: LockLine = {
    source,
    operations: shownOperations(plan.operations),
    type,
    bytes,
    ...(result.score !== undefined && { score: Math.round(result.score * 100) / 100 }),
    ...(result.draft && { draft: result.draft }),
    engine: isByService ? 'service' : (pinnedEngine(former, result) ?? ENGINE_REVISION),
    sha256: digest,
    result: result.data === plan.source ? digest : sha256(result.data),
    key,
  }
  return { line, former }
}

/** Tells whether a line is of an engine that is newer than this one. */
export const isNewer = (line: LockLine): line is LockLine & { engine: number } =>
  line.engine !== 'service' && line.engine > ENGINE_REVISION

/** Returns the engine of a result that the cache has given for a line, which said something else of it. */
const pinnedEngine = (former: LockLine | undefined, { pinned }: OptimizeResult): LockLine['engine'] | undefined =>
  pinned === undefined ? undefined : former?.engine

/** Tells whether a former line with the same operations stays. */
export function staysFor(former: LockLine, digest: string, { kept }: OptimizeResult): boolean {
  // The one is of an engine that this one must not undo; the other of a file that was replaced by its own result.
  if (former.sha256 === digest) return isNewer(former)
  return former.result === digest && kept === 'input'
}
