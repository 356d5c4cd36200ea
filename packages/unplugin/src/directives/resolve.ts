import { PixpressError } from '@pixpress/core'
import { didYouMean, invalidOption } from '@pixpress/core/internal'
import type { Operations, PlaceholderKind } from '@pixpress/core'
import { cartesianProduct } from './combination.ts'
import type { Combination } from './combination.ts'
import { convertType, withPictureFormats } from './formats.ts'
import { resolveOutput } from './output.ts'
import type { Output } from './output.ts'
import { parseDirectives } from './parse.ts'
import type { DirectiveSet } from './parse.ts'
import type { ResolvedPresets } from './presets.ts'
import type { ImageQuery } from './query.ts'
import { resolveResize } from './resize.ts'
import { DIRECTIVES } from './rows.ts'
import type { DirectiveSource } from './rows.ts'
import type { Format } from './vocabulary.ts'

/** One image to make for an import. */
export interface Variant {
  /** What the engine is to do: the plugin's operations, overruled by the preset's, overruled by the query's. */
  readonly operations: Operations
  /**
   * The size asked for, in pixels, where the directives ask for one: not above the source's, except with `thumb`. With
   * one of the two, the other follows from the proportions.
   */
  readonly width?: number
  readonly height?: number
  /** The format asked for. Absent when the plugin's own `convert`, or nothing, decides. */
  readonly format?: Format
}

export interface DirectiveRequest {
  /** At least one, in imagetools' order, no two with the same operations. */
  readonly variants: readonly Variant[]
  readonly output: Output
}

export interface ResolveDirectivesOptions {
  readonly presets: ResolvedPresets
  /** The plugin's own operations, for whatever neither the query nor the preset decides. */
  readonly defaults?: Operations
  /** The plugin's placeholder for `as=img` and `as=picture`. */
  readonly lqip?: PlaceholderKind | undefined
  readonly source: DirectiveSource
  /** Named in errors. */
  readonly file: string
}

/**
 * Turns the directives of a query into the images to make and the shape to hand them over in.
 *
 * Nothing is scaled up: sizes above the source's collapse onto it, and combinations that come to the same operations are
 * merged. For `as=picture`, "the smallest of several types" becomes a source for each (see `formats.ts`).
 * @throws PixpressError `INVALID_OPTION`, with `file`: a directive is unknown, has a bad value, or contradicts another.
 */
export function resolveDirectives(query: ImageQuery, options: ResolveDirectivesOptions): DirectiveRequest {
  try {
    return resolve(query, options)
  } catch (error) {
    throw error instanceof PixpressError ? error.withFile(options.file) : error
  }
}

function resolve(
  query: ImageQuery,
  { presets, defaults = {}, lqip, source }: ResolveDirectivesOptions,
): DirectiveRequest {
  refuseUntouched(query)
  const { preset, ...rest } = takePreset(query.directives, presets)
  const own = parseDirectives(rest.directives)
  const merged = merge(preset, own)
  const output = resolveOutput(merged, own, query.url, lqip)
  const alternatives =
    output.as === 'picture' ? withPictureFormats(merged.alternatives, defaults, source) : merged.alternatives
  const base: Operations = { ...defaults, ...merged.operations }
  const variants = cartesianProduct(alternatives).map((combination) => toVariant(combination, base, source))
  return { variants: withoutRepeats(variants), output }
}

/** The flags that hand over the file as it is leave nothing for a directive to do. */
function refuseUntouched(query: ImageQuery): void {
  const flag = query.original ? 'original' : query.raw ? 'raw' : undefined
  if (flag !== undefined && query.hasDirectives) {
    throw invalidOption(flag, 'no directive beside it', [...query.directives.keys()].join(', '))
  }
}

function takePreset(
  directives: ReadonlyMap<string, readonly string[]>,
  presets: ResolvedPresets,
): { preset: DirectiveSet; directives: ReadonlyMap<string, readonly string[]> } {
  const names = directives.get('preset')
  if (names === undefined) return { preset: { alternatives: {} }, directives }
  const [name = '', second] = names
  if (second !== undefined) throw invalidOption('preset', 'exactly one value', names.join(';'))
  const preset = presets.get(name)
  if (preset === undefined) {
    const hint = presets.size === 0 ? 'The plugin has none.' : didYouMean(name, [...presets.keys()])
    throw invalidOption('preset', "the name of one of the plugin's presets", name, hint)
  }
  return { preset, directives: new Map([...directives].filter(([directive]) => directive !== 'preset')) }
}

/** The query beats the preset, directive by directive; one that both have keeps the preset's place in the product. */
function merge(preset: DirectiveSet, own: DirectiveSet): DirectiveSet {
  const inherited = { ...preset.alternatives }
  // `fit` and `method` are two ways to say one thing: either in the query replaces both of the preset.
  if (own.alternatives.fit !== undefined || own.alternatives.method !== undefined) {
    delete inherited.fit
    delete inherited.method
  }
  return {
    ...preset,
    ...own,
    alternatives: { ...inherited, ...own.alternatives },
    operations: { ...preset.operations, ...own.operations },
  }
}

function toVariant(combination: Combination, base: Operations, source: DirectiveSource): Variant {
  const { w, h, fit, method, format, ...others } = combination
  const operations: Operations = { ...base }
  const size: { width?: number; height?: number } = {}
  if (w !== undefined || h !== undefined || fit !== undefined || method !== undefined) {
    const resize = resolveResize(combination, source)
    if (resize === null) delete operations.resize
    else operations.resize = resize
    const { width, height }: { width?: number; height?: number } = resize ?? source
    if (width !== undefined) size.width = width
    if (height !== undefined) size.height = height
  }
  if (format !== undefined) {
    const type = convertType(format, source.type)
    if (type === null) delete operations.convert
    else operations.convert = { type }
  }
  for (const [word, value] of Object.entries(others)) {
    Object.assign(operations, DIRECTIVES[word]?.toOperations?.(value, source))
  }
  return { operations, ...size, ...(format !== undefined && { format }) }
}

function withoutRepeats(variants: readonly Variant[]): readonly Variant[] {
  const seen = new Set<string>()
  return variants.filter(({ operations }) => {
    // Every variant starts from the same base, so equal operations only differ in the order of their keys.
    const identity = JSON.stringify(Object.entries(operations).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return seen.size < seen.add(identity).size
  })
}
