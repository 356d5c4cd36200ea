import { EVERYWHERE_TYPES, WILDCARD_TYPES } from '../base/formats.ts'
import type { ImageType } from '../base/types.ts'
import { AUTO } from '../operations/convert.ts'
import { operationsOf, resolveOperations } from '../operations/index.ts'
import type { ProjectOperations, Operations } from '../operations/index.ts'

/** The types of `convert: 'auto'`, the preferred one first: those that not every browser shows. */
export const AUTO_TYPES: readonly ImageType[] = WILDCARD_TYPES.filter((type) => !EVERYWHERE_TYPES.has(type))

/**
 * Returns the operations that a build does to every image. A conversion for all is never a demand: an image that would
 * grow stays as it is. `convert: false` takes away what is asked of all images.
 * @param auto what `convert: 'auto'` stands for; empty: for no conversion
 * @throws PixpressError `INVALID_OPTION`
 */
export function projectOperations(options: ProjectOperations, auto: readonly ImageType[]): Operations {
  const own = operationsOf(options)
  const operations = options.convert === AUTO && auto.length > 0 ? { ...own, convert: { type: auto } } : own
  resolveOperations(operations)
  const none: object = options.convert === false ? { convert: undefined } : {}
  const { convert } = operations
  if (convert === undefined) return Object.assign({}, operations, none)
  return { ...operations, convert: { type: typeof convert.type === 'string' ? [convert.type] : convert.type } }
}
