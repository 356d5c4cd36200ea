import type { Limits } from '../base/limits.ts'
import type { CacheStore } from '../cache/store.ts'
import type { LocalEngine } from '../engines/local/engine.ts'
import type { MissingResults } from './missing-results.ts'

/** The parts of one optimizer that its results, placeholders and measurements share. */
export interface OptimizerTools {
  readonly local: LocalEngine
  readonly cache: CacheStore | undefined
  readonly limits: Required<Limits>
  /** Takes note of what a frozen cache lacks. */
  readonly missing: Pick<MissingResults, 'note'>
}
