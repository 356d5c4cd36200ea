import { invalidOption, oneOf } from '@pixpress/core/internal'
import { METADATA_KEYS, OUTPUTS } from './vocabulary.ts'
import type { MetadataKey, OutputName } from './vocabulary.ts'

/** What the directives of a query or a preset say of the import's module. */
export interface OutputDirectives {
  readonly shape?: OutputShape
  /** Pixels of width at density 1; 0 turns a preset's off. */
  readonly basePixels?: number
}

/** What the module of an import exports. */
export type OutputShape =
  | { readonly as: 'url' | 'srcset' | 'img' | 'picture' }
  | { readonly as: 'metadata'; readonly keys?: readonly MetadataKey[] }
  | { readonly as: 'custom'; readonly name: string; readonly keys: readonly string[] }

/** The shape of an import's module. With `basePixels`, pixels at density 1, descriptors are `2x` rather than `400w`. */
export type Output =
  | { readonly as: 'url' }
  | { readonly as: 'srcset' | 'img' | 'picture'; readonly basePixels?: number }
  | { readonly as: 'metadata'; readonly keys?: readonly MetadataKey[] }
  /** One of the plugin's `outputs`. */
  | { readonly as: 'custom'; readonly name: string; readonly keys: readonly string[] }

/**
 * Reads `as`: a word, and behind a colon the keys of the metadata.
 * @param own names of the project's own outputs
 * @throws PixpressError `INVALID_OPTION`
 */
export function parseShape(value: string, option: string, own: readonly string[] = []): OutputShape {
  const [written = '', list] = value.split(/:(.*)/s)
  // A `;` outside of a list of keys separates two values.
  if (written.includes(';')) throw invalidOption(option, 'exactly one value', value)
  if (own.includes(written)) return { as: 'custom', name: written, keys: list === undefined ? [] : list.split(';') }
  const as = oneOf([...OUTPUTS, ...own]).parse(written, option) as OutputName
  if (as !== 'metadata' && as !== 'meta') {
    if (list !== undefined) throw invalidOption(option, `'${as}' without a list of keys`, value)
    return { as }
  }
  if (list === undefined) return { as: 'metadata' }
  const keys = list.split(';').map((key) => oneOf(METADATA_KEYS).parse(key.trim(), option))
  return { as: 'metadata', keys: METADATA_KEYS.filter((key) => keys.includes(key)) }
}

/** @throws PixpressError `INVALID_OPTION` */
export function parseBasePixels(value: string, option: string): number {
  if (value.includes(';')) throw invalidOption(option, 'exactly one value', value)
  if (!/^\d{1,9}$/.test(value)) throw invalidOption(option, 'a whole number of pixels', value)
  return Number(value)
}

/**
 * The shape that the directives ask for; `url` unless they say otherwise, as in imagetools.
 * @param merged The preset's directives, overruled by the query's.
 * @param own The query's alone.
 * @param isUrl Whether the query has the flag `url`.
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveOutput(merged: OutputDirectives, own: OutputDirectives, isUrl: boolean): Output {
  const shape = (isUrl ? own.shape : merged.shape) ?? { as: 'url' }
  if (isUrl && shape.as !== 'url') throw invalidOption('as', "'url' beside the flag 'url'", shape.as)
  if (shape.as === 'url' || shape.as === 'metadata' || shape.as === 'custom') {
    // A preset's has no effect where the query asks for another shape; one in the query itself is a mistake.
    if (own.basePixels !== undefined) {
      throw invalidOption('basePixels', "'as=srcset', 'as=img' or 'as=picture' beside it", `as=${shape.as}`)
    }
    return shape
  }
  return merged.basePixels ? { as: shape.as, basePixels: merged.basePixels } : { as: shape.as }
}
