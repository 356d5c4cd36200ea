import { FLAG } from '../options/parsers.ts'
import type { Operation } from './row.ts'

interface KeepElementsOperation {
  /**
   * Keeps the elements, ids, classes and colours of an SVG, for pages that look inside it. Default: the plugin decides
   * for each reference, and everything else takes an SVG for a picture.
   */
  keepElements?: boolean
}

interface ResolvedKeepElements {
  /** Absent for a picture, and in plans for other types than SVG. */
  readonly keepElements?: true
}

/** Keeps what a page can find in an SVG. */
export const keepElements: Operation<KeepElementsOperation, boolean, ResolvedKeepElements> = {
  place: 14,
  parser: FLAG,
  // Absent for a picture, so that no other key changes.
  resolved: (isKept = false) => (isKept ? { keepElements: isKept } : {}),
  shownDefault: 'by the reference',
  doc: 'keeps the elements, ids, classes and colours of SVG, for pages that look inside it. The plugin decides [for each reference](formats.md#svg); everything else takes an SVG for a picture',
}
