import { EVERYWHERE_TYPES, WILDCARD_TYPES } from '../base/formats.ts'
import type { ImageType } from '../base/types.ts'
import { AUTO } from '../operations/convert.ts'
import type { ConvertOptions } from '../operations/convert.ts'
import { operationsOf, resolveOperations } from '../operations/index.ts'
import type { ProjectOperations, Operations } from '../operations/index.ts'

/** The types of `convert: 'auto'`, the preferred one first: those that not every browser shows. */
export const AUTO_TYPES: readonly ImageType[] = WILDCARD_TYPES.filter((type) => !EVERYWHERE_TYPES.has(type))
const AUTO_CONVERT: ConvertOptions = { type: AUTO_TYPES }

/**
 * Returns the operations that a build does to every image. A conversion for all is never a demand: an image that would
 * grow stays as it is.
 * @throws PixpressError `INVALID_OPTION`
 */
export function projectOperations(options: ProjectOperations): Operations {
  const own = operationsOf(options)
  const operations = options.convert === AUTO ? { ...own, convert: AUTO_CONVERT } : own
  resolveOperations(operations)
  const { convert } = operations
  if (convert === undefined) return operations
  return { ...operations, convert: { type: typeof convert.type === 'string' ? [convert.type] : convert.type } }
}
