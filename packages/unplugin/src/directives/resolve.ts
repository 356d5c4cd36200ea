import { ALPHA_TYPES, PixpressError } from '@pixpress/core'
import { ADJUSTMENTS, didYouMean, invalidOption, opaqueColour } from '@pixpress/core/internal'
import type { ByteCurve } from '@pixpress/core/internal'
import type {
  Adjustments,
  ImageType,
  Operations,
  PlaceholderKind,
  QualityTarget,
  TransformOptions,
} from '@pixpress/core'
import { asImagetools } from './as-imagetools.ts'
import { withAutoWidths } from './auto-widths.ts'
import { cartesianProduct } from './combination.ts'
import type { Combination } from './combination.ts'
import { convertType, withPictureFormats } from './formats.ts'
import { resolveOutput } from './output.ts'
import type { Output } from './output.ts'
import { parseDirectives } from './parse.ts'
import type { DirectiveSet } from './parse.ts'
import type { ResolvedPresets } from './presets.ts'
import type { ImageQuery } from './query.ts'
import { asksForSize, cropsCentre, resolveResize, withinSource } from './resize.ts'
import { DIRECTIVES } from './rows.ts'
import type { DirectiveSource } from './rows.ts'
import { effortOf, encoderSettings, typesOf } from './settings.ts'
import { AUTO_WIDTH } from './vocabulary.ts'
import type { Format } from './vocabulary.ts'

/** One image to make for an import. */
export interface Variant {
  /** Holds what the engine is to do: the plugin's operations, overruled by the preset's, overruled by the query's. */
  readonly operations: Operations
  /**
   * The size asked for, in pixels, where the directives ask for one: not above the source's, except with `thumb`. With
   * one of the two, the other follows from the proportions.
   */
  readonly width?: number
  readonly height?: number
  /** The media query of the part of a picture that it is for. */
  readonly media?: string
  /** The format asked for. Absent when the plugin's own `convert`, or nothing, decides. */
  readonly format?: Format
}

/** The images that directives ask for, and the form of the import. */
export interface DirectiveRequest {
  /** At least one, in imagetools' order, no two with the same operations unless `compat` asks for each. */
  readonly variants: readonly Variant[]
  readonly output: Output
  /** Holds what may be meant otherwise, each said once in a build: its name, and a sentence. */
  readonly notes?: readonly (readonly [name: string, sentence: string])[]
}

/** Options of `resolveDirectives`. */
export interface ResolveDirectivesOptions {
  readonly presets: ResolvedPresets
  /** The plugin's own operations, for whatever neither the query nor the preset decides. */
  readonly defaults?: Operations
  /** The plugin's placeholder for `as=img` and `as=picture`. */
  readonly lqip?: PlaceholderKind | undefined
  readonly source: DirectiveSource
  /** `quality` and `effort` are the encoders' settings, and sizes and crops are those of imagetools. */
  readonly compat?: boolean
  /** Directives that neither the query nor its preset has to say. */
  readonly fallback?: ImageQuery['directives']
  /** How the image's bytes grow with its width: needed where `asksForAutoWidths`, and it can be decoded. */
  readonly curve?: ByteCurve | undefined
  /** Widths in pixels that an audit saw pages draw it with, for `w=auto`. */
  readonly drawn?: readonly number[] | undefined
  /** Names of the project's own outputs. */
  readonly outputs?: readonly string[]
  /** Named in errors. */
  readonly file: string
}

/**
 * Turns the directives of a query into the images to make and the shape to hand them over in.
 *
 * Nothing is scaled up: sizes above the source's collapse onto it, and combinations that come to the same operations
 * are merged, but not with `compat`. For `as=picture`, "the smallest of several types" becomes a source for each (see
 * `formats.ts`).
 * @throws PixpressError `INVALID_OPTION`, with `file`: a directive is unknown, has a bad value, or contradicts another.
 */
export function resolveDirectives(query: ImageQuery, options: ResolveDirectivesOptions): DirectiveRequest {
  try {
    return resolve(query, options)
  } catch (error) {
    throw error instanceof PixpressError ? error.withFile(options.file) : error
  }
}

function resolve(query: ImageQuery, options: ResolveDirectivesOptions): DirectiveRequest {
  refuseUntouched(query)
  const { presets, outputs = [], fallback = new Map(), source, compat = false } = options
  const { preset, ...rest } = takePreset(query.directives, presets)
  const read = (directives: ImageQuery['directives']): ImageQuery['directives'] =>
    compat ? asImagetools(directives, source) : directives
  const own = parseDirectives(read(rest.directives), '', outputs)
  const base = parseDirectives(read(fallback), 'defaultDirectives', outputs)
  const parts = (preset.parts ?? [preset]).map((part) => resolvePart(query, merge(base, part), own, options))
  const [{ output }] = parts as [Part, ...Part[]]
  if (preset.parts !== undefined && output.as !== 'picture') {
    const said = `A preset with a part for each medium gives a picture, and here 'as=${output.as}' is asked for.`
    throw new PixpressError('INVALID_OPTION', `${said} Write 'as=picture'.`)
  }
  const notes = compat
    ? []
    : ambiguities(
        parts.flatMap(({ combinations }) => combinations),
        query,
        source,
      )
  const all = parts.flatMap(({ variants: each }) => each)
  // Code that was written for imagetools counts on an image for each combination, however many of them are the same.
  const variants = compat ? all : withoutRepeats(all)
  return { variants, output, ...(notes.length > 0 && { notes }) }
}

interface Part extends Pick<DirectiveRequest, 'variants' | 'output'> {
  readonly combinations: readonly Combination[]
}

/** Gives what a preset, or a part of one, and the query's own directives ask for. */
function resolvePart(
  query: ImageQuery,
  preset: DirectiveSet,
  own: DirectiveSet,
  { defaults = {}, lqip, source, curve, drawn, compat = false }: ResolveDirectivesOptions,
): Part {
  const merged = merge(preset, own)
  const { media } = preset
  const output = resolveOutput(merged, own, query.url, lqip)
  refuseUncertainShape(merged, output)
  const widths = withAutoWidths(merged.alternatives, source, curve, drawn)
  const sized = compat ? withinSource(widths, source) : widths
  const alternatives = output.as === 'picture' ? withPictureFormats(sized, defaults, source) : sized
  const operations: Operations = { ...defaults, ...merged.operations }
  const combinations = cartesianProduct(alternatives)
  const variants = combinations.map((combination): Variant => ({
    ...toVariant(combination, operations, source, compat),
    ...(media !== undefined && { media }),
  }))
  return { variants, output, combinations }
}

/** Gives what an import that was written for imagetools may mean otherwise there. */
function ambiguities(
  combinations: readonly Combination[],
  { directives }: ImageQuery,
  source: DirectiveSource,
): NonNullable<DirectiveRequest['notes']> {
  const beside = ['progressive', 'effort'].filter((word) => directives.has(word))
  const isScore = combinations.some(({ quality }) => typeof quality === 'number') && beside.length > 0
  const centred = combinations.some((combination) => cropsCentre(combination, source))
  return [
    ...(centred
      ? [
          [
            'centre',
            "cropped around the centre, as imagetools does, for want of 'fit' and 'position': 'fit=cover' keeps what strikes.",
          ] as const,
        ]
      : []),
    ...(isScore
      ? [
          [
            'score',
            `'quality' is the score to keep, also beside '${beside.join("' and '")}': with the option compat: 'imagetools' it is the encoder's setting.`,
          ] as const,
        ]
      : []),
  ]
}

/** The flags that hand over the file as it is leave nothing for a directive to do. */
function refuseUntouched(query: ImageQuery): void {
  const flag = query.original ? 'original' : query.raw ? 'raw' : undefined
  if (flag !== undefined && query.hasDirectives) {
    const names = [...query.directives.keys()].map((name) => `'${name}'`).join(', ')
    const said = `'?${flag}' hands the file over as it is, so ${names} beside it can do nothing.`
    throw new PixpressError('INVALID_OPTION', `${said} Leave out '${flag}', or all else.`)
  }
}

/** Gives what a module of one image and of several is alike in: how many `w=auto` gives differs from image to image. */
function refuseUncertainShape({ alternatives }: DirectiveSet, { as }: Output): void {
  if (alternatives.w?.includes(AUTO_WIDTH) === true && (as === 'url' || as === 'metadata')) {
    const said = `'w=${AUTO_WIDTH}' can give several images, for which 'as=${as}' has no certain shape.`
    throw new PixpressError('INVALID_OPTION', `${said} Write numbers, or add 'as=srcset', 'as=img' or 'as=picture'.`)
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

function toVariant(combination: Combination, base: Operations, source: DirectiveSource, compat: boolean): Variant {
  const { format, background, effort, quality, ...others } = combination
  const operations: Operations = { ...base }
  const types = typesOf(format, source.type)
  const adjust = adjustmentsOf(combination)
  const size: { width?: number; height?: number } = {}
  if (asksForSize(combination, compat)) {
    const resize = resolveResize(combination, source, { compat, ...(background !== undefined && { background }) })
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
  if (effort !== undefined) operations.effort = effortOf(effort, types)
  if (compat && typeof quality === 'number' && combination.lossless !== true) {
    Object.assign(operations, encoderSettings(quality, effort, types))
  } else if (quality !== undefined) operations.quality = quality as QualityTarget
  if (adjust !== undefined) operations.adjust = { ...operations.adjust, ...adjust }
  const flattened = flattening(combination, types, compat && source.hasAlpha)
  if (flattened !== undefined) operations.transform = flattened
  return { operations, ...size, ...(format !== undefined && { format }) }
}

/** The changes of the picture itself that a combination asks for, with what fills a rotation's corners. */
function adjustmentsOf(combination: Combination): Adjustments | undefined {
  const given = Object.entries(combination).filter(([word]) => Object.hasOwn(ADJUSTMENTS, word))
  if (given.length === 0) return undefined
  const { background } = combination
  return {
    ...Object.fromEntries(given),
    ...(background !== undefined && isTilted(combination) && { background }),
  }
}

const isTilted = ({ rotate = 0 }: Combination): boolean => rotate % 90 !== 0

/**
 * `background` by itself flattens. A background beside `contain` and a rotation fills what they leave empty, and only
 * flattens where that is asked for, or where nothing can be left transparent.
 * @param losesAlpha whether transparency may be lost without being asked for: imagetools makes it black
 */
function flattening(
  combination: Combination,
  types: readonly ImageType[],
  losesAlpha: boolean,
): TransformOptions | undefined {
  const { background, flatten, fit, method } = combination
  const fills = background !== undefined && (fit === 'contain' || method === 'contain' || isTilted(combination))
  const isOpaque = types.length > 0 && types.every((type) => !ALPHA_TYPES.has(type))
  const flattens = flatten ?? (background === undefined ? losesAlpha && isOpaque : !fills || isOpaque)
  return flattens ? { background: opaqueColour(background ?? '#000000') } : undefined
}

function withoutRepeats(variants: readonly Variant[]): readonly Variant[] {
  const seen = new Set<string>()
  return variants.filter(({ operations, media = '' }) => {
    // Every variant starts from the same base, so equal operations only differ in the order of their keys.
    const identity = media + JSON.stringify(Object.entries(operations).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return seen.size < seen.add(identity).size
  })
}
