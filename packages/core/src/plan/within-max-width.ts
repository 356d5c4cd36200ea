import { INPUT_ONLY } from '../base/formats.ts'
import type { InputType } from '../base/types.ts'
import type { Operations } from '../operations/index.ts'

/** Operations with the resize that their `maxWidth` comes to, by those with it. */
const known = new WeakMap<Operations, Operations>()

/**
 * Puts a resize in the place of `maxWidth`, for a picture of pixels that has none. The same object comes back for the
 * same operations.
 */
export function withinMaxWidth(operations: Operations | undefined, type: InputType): Operations | undefined {
  const { maxWidth: width, resize } = operations ?? {}
  if (operations === undefined || width === undefined || resize !== undefined || type === 'image/svg+xml')
    return operations
  // A file that stays in a type that is never written keeps its pixels.
  if (INPUT_ONLY.has(type) && operations.convert === undefined) return operations
  const before = known.get(operations)
  // Who holds operations may change them.
  if (before !== undefined && Object.isFrozen(operations)) return before
  const made: Operations = { ...operations, resize: Object.freeze({ method: 'scale', width }) }
  if (Object.isFrozen(operations)) Object.freeze(made)
  known.set(operations, made)
  return made
}
