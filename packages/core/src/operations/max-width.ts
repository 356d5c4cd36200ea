import { wholeNumber } from '../options/flags.ts'
import { whole } from '../options/parsers.ts'
import type { Operation } from './row.ts'

interface MaxWidthOperation {
  /**
   * Pixels, 1 or more: a wider picture is scaled down to this width, in its proportions. Where `resize` is given, that
   * decides alone. Vectors stay as they are.
   */
  maxWidth?: number
}

/** It is a resize or nothing: which one, the type of the source decides. */
type ResolvedMaxWidth = object

/** Bounds the width of a picture. */
export const maxWidth: Operation<MaxWidthOperation, number, ResolvedMaxWidth> = {
  place: 13,
  parser: whole(1),
  resolved: () => ({}),
  shownDefault: 'none',
  doc: 'pixels: a wider picture is scaled down to this width, unless `resize` or directives give it a size; vectors and [textures](#textures) stay as they are. Mostly in `overrides`',
  flags: { 'max-width': { value: 'PIXELS', description: 'scales wider pictures down to this width' } },
  fromFlags: ({ 'max-width': text }) => wholeNumber('max-width', text),
}
