import { resolveOperations } from '../operations/index.ts'
import type { Operations, ResolvedOperations } from '../operations/index.ts'

/** Resolved operations by those that cannot change any more. */
const known = new WeakMap<Operations, ResolvedOperations>()

/**
 * The same as `resolveOperations`, once for each object that is frozen to its ends: a build asks the same of a thousand
 * images, and checking what it asks took longer than hashing an image. The answer is frozen as well then.
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveOnce(operations: Operations | undefined): ResolvedOperations {
  if (operations === undefined) return resolveOperations(operations)
  const before = known.get(operations)
  if (before !== undefined) return before
  const resolved = resolveOperations(operations)
  if (!isFixed(operations)) return resolved
  freeze(resolved)
  known.set(operations, resolved)
  return resolved
}

/** Tells whether nothing in a value can change. A `Map`, say, does so although it is frozen. */
function isFixed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function'
  return Object.isFrozen(value) && isPlain(value) && Object.values(value).every(isFixed)
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  Object.values(value).forEach(freeze)
}
