import { identity } from '../plan/plan.ts'
import type { Plan } from '../plan/plan.ts'

/** Returns the quick path to a planned image: the same promise at `effort: 'fast'`. */
export function draftOf({ mayBeDraft: _asked, ...plan }: Plan): Plan {
  const operations = { ...plan.operations, effort: 'fast' as const }
  return { ...plan, operations, key: identity(plan.source, operations) }
}
