import { PLACEHOLDER_KINDS, PixpressError } from '@pixpress/core'
import type { PlaceholderKind } from '@pixpress/core'
import { invalidOption, oneOf } from '@pixpress/core/internal'
import { METADATA_KEYS, OUTPUTS } from './vocabulary.ts'
import type { MetadataKey, OutputName } from './vocabulary.ts'

/** Describes what the directives of a query or a preset say of the import's module. */
export interface OutputDirectives {
  readonly shape?: OutputShape
  /** Pixels of width at density 1; 0 turns a preset's off. */
  readonly basePixels?: number
  /** Holds what to show until the image is there; `none` turns that of a preset or of the plugin's options off. */
  readonly lqip?: PlaceholderKind | 'none'
}

/** Describes what the module of an import exports. */
export type OutputShape =
  | { readonly as: 'url' | 'srcset' | 'img' | 'picture' }
  | { readonly as: 'metadata'; readonly keys?: readonly MetadataKey[] }
  | { readonly as: 'custom'; readonly name: string; readonly keys: readonly string[] }

/** The shape of an import's module. With `basePixels`, pixels at density 1, descriptors are `2x` rather than `400w`. */
export type Output =
  | { readonly as: 'url' }
  | { readonly as: 'srcset'; readonly basePixels?: number }
  | { readonly as: 'img' | 'picture'; readonly basePixels?: number; readonly lqip?: PlaceholderKind }
  | { readonly as: 'metadata'; readonly keys?: readonly MetadataKey[]; readonly lqip?: PlaceholderKind }
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

/** @throws PixpressError `INVALID_OPTION` */
export function parsePlaceholder(value: string, option: string): PlaceholderKind | 'none' {
  if (value.includes(';')) throw invalidOption(option, 'exactly one value', value)
  return value === 'false' ? 'none' : oneOf([...PLACEHOLDER_KINDS, 'none']).parse(value, option)
}

/**
 * The shape that the directives ask for; `url` unless they say otherwise, as in imagetools.
 * @param merged The preset's directives, overruled by the query's.
 * @param own The query's alone.
 * @param isUrl whether the query has the flag `url`.
 * @param placeholder The plugin's, for `img` and `picture`.
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveOutput(
  merged: OutputDirectives,
  own: OutputDirectives,
  isUrl: boolean,
  placeholder?: PlaceholderKind,
): Output {
  const shape = (isUrl ? own.shape : merged.shape) ?? { as: 'url' }
  if (isUrl && shape.as !== 'url') {
    const said = `'?url' asks for a URL, and 'as=${shape.as}' for something else.`
    throw new PixpressError('INVALID_OPTION', `${said} Leave one of them out.`)
  }
  const lqip = placeholderOf(shape.as, merged, own, placeholder)
  if (shape.as === 'url' || shape.as === 'metadata' || shape.as === 'custom') {
    // A preset's has no effect where the query asks for another shape; one in the query itself is a mistake.
    if (own.basePixels !== undefined) {
      throw hasNoPlace('basePixels', "'as=srcset', 'as=img' or 'as=picture'", shape.as)
    }
    return { ...shape, ...lqip }
  }
  return { as: shape.as, ...(merged.basePixels && { basePixels: merged.basePixels }), ...lqip }
}

/** A placeholder where the shape has a place for one. @throws PixpressError `INVALID_OPTION` */
function placeholderOf(
  as: OutputShape['as'],
  merged: OutputDirectives,
  own: OutputDirectives,
  usual: PlaceholderKind | undefined,
): { readonly lqip?: PlaceholderKind } {
  const hasPlace = as !== 'url' && as !== 'srcset'
  if (!hasPlace && own.lqip !== undefined && own.lqip !== 'none') {
    throw hasNoPlace('lqip', "'as=img', 'as=picture' or 'as=metadata'", as)
  }
  const lqip = merged.lqip ?? (as === 'metadata' ? undefined : usual)
  return hasPlace && lqip !== undefined && lqip !== 'none' ? { lqip } : {}
}

function hasNoPlace(name: string, shapes: string, as: string): PixpressError {
  const message = `'${name}' has no place in what 'as=${as}' gives. Add ${shapes}, or leave '${name}' out.`
  return new PixpressError('INVALID_OPTION', message)
}
