import { namedError } from '../base/errors.ts'
import { codecFault } from '../base/faults.ts'
import { engineVersions } from '../base/versions.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import { oneOf } from '../options/parsers.ts'
import { PLACEHOLDER_KINDS, PLACEHOLDER_REVISION } from '../placeholder/kinds.ts'
import type { Placeholder, PlaceholderKind } from '../placeholder/kinds.ts'
import { identity } from '../plan/plan.ts'
import type { Plan } from '../plan/plan.ts'
import type { OptimizerTools } from './tools.ts'

/** The placeholders of an optimizer: each made once, on this machine, and kept in the cache. */
export interface Placeholders {
  /**
   * Returns the placeholder from the cache, or makes it of the pixels.
   * @throws PixpressError `INVALID_OPTION` for another kind, `DECODE_FAILED`, `NOT_CACHED`, …
   */
  make(plan: Plan, kind: PlaceholderKind): Promise<Placeholder>
  /** Returns the one that the cache has. */
  recall(plan: Plan, kind: PlaceholderKind): Promise<Placeholder | undefined>
  /** Puts one into the cache that was made together with a result. */
  keep(plan: Plan, made: Placeholder): Promise<void> | undefined
}

/** Creates the placeholders of an optimizer. */
export function createPlaceholders({ local, cache, limits, missing }: OptimizerTools): Placeholders {
  const flights = createSingleFlight<Placeholder>()

  async function recall(plan: Plan, kind: PlaceholderKind): Promise<Placeholder | undefined> {
    const entry = await cache?.get(keyOf(plan, kind))
    return entry?.meta.placeholder as Placeholder | undefined
  }

  const keep: Placeholders['keep'] = (plan, made) =>
    cache?.set(keyOf(plan, made.kind), { meta: { placeholder: made }, data: new Uint8Array() })

  return {
    recall,
    keep,
    async make(plan, kind) {
      assertKind(kind)
      return flights.run(keyOf(plan, kind), async () => {
        const kept = await recall(plan, kind)
        if (kept !== undefined) return kept
        if (cache?.frozen === true) throw missing.note(plan, `placeholder ${kind}`)
        const { source, type, operations, file } = plan
        try {
          const made = await local.placeholder({ source, type, operations, limits, file, placeholder: kind })
          await keep(plan, made)
          return made
        } catch (error) {
          throw codecFault(error) ?? namedError(error, file)
        }
      })
    },
  }
}

/** @throws PixpressError `INVALID_OPTION` */
export function assertKind(kind: PlaceholderKind): void {
  oneOf(PLACEHOLDER_KINDS).parse(kind, 'placeholder')
}

/** Returns a placeholder's identity: pixels, kind, and what decides its bytes. */
function keyOf({ source, operations }: Plan, kind: PlaceholderKind): string {
  return identity(source, operations, { ...engineVersions(), placeholder: kind, placeholders: PLACEHOLDER_REVISION })
}
