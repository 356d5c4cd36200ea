import type { OperationDirectives, PlaceholderKind } from '@pixpress/core'
import { OPERATION_DIRECTIVES, invalidOption } from '@pixpress/core/internal'
import type { Adjustments } from '@pixpress/core'
import { cartesianProduct } from './combination.ts'
import { parseDirectives } from './parse.ts'
import type { DirectiveSet } from './parse.ts'
import { splitAlternatives } from './query.ts'
import { checkResize } from './resize.ts'
import { DIRECTIVE_NAMES } from './rows.ts'
import type { ImageDirectives } from './rows.ts'
import { unknownDirective } from './spelling.ts'
import { AUTO_WIDTH } from './vocabulary.ts'
import type { Format, MetadataKey, OutputName } from './vocabulary.ts'

type OneOrMore<T> = T | readonly T[]

/** A list is one value of a directive whose values are lists, and alternatives of any other. */
type OperationPreset = {
  readonly [
    Word in Exclude<keyof OperationDirectives, keyof ImageDirectives>
  ]?: OperationDirectives[Word] extends readonly unknown[]
    ? OperationDirectives[Word]
    : OneOrMore<OperationDirectives[Word]>
}

type ImagePreset = {
  readonly [Word in Exclude<keyof ImageDirectives, 'format' | 'position'>]?: OneOrMore<ImageDirectives[Word]>
}

type AdjustmentPreset = {
  readonly [Word in Exclude<keyof Adjustments, 'background'>]?: OneOrMore<NonNullable<Adjustments[Word]>>
}

/** A named set of directives, `?preset=name`: the same words and rules as in a query, a list for alternatives. */
export interface Preset extends ImagePreset, OperationPreset, AdjustmentPreset {
  /** A word, or `0.3,0.6`. */
  readonly position?: OneOrMore<string>
  /** For `as: 'picture'` the last one is the fallback. */
  readonly format?: OneOrMore<Format | 'jpg'>
  /** Default `url`. */
  readonly as?: OutputName | `meta${'' | 'data'}:${MetadataKey}${string}` | (string & {})
  /** Pixels of width at density 1. */
  readonly basePixels?: number
  /** Holds what to show until the image is there. */
  readonly lqip?: PlaceholderKind | 'none'
}

/** One part of a picture, for one medium. */
export interface MediaPreset extends Preset {
  /** A media query, `(max-width: 600px)`. The last part has none: it is for every other medium. */
  readonly media?: string
}

/** A preset, or the parts of a picture that shows other crops to other media, in the order in which browsers ask. */
export type PresetOrParts = Preset | readonly MediaPreset[]

/** Presets after validation, by name. */
export type ResolvedPresets = ReadonlyMap<string, DirectiveSet>

/**
 * Validates presets, once, when the plugin starts.
 * @param outputs Names of the project's own outputs.
 * @throws PixpressError `INVALID_OPTION`: names the place (`presets.hero.w`), what was expected, and what came.
 */
export function resolvePresets(
  presets: Readonly<Record<string, PresetOrParts>> = {},
  outputs: readonly string[] = [],
): ResolvedPresets {
  if (!isPlainObject(presets)) throw invalidOption('presets', 'an object', presets)
  return new Map(
    Object.entries(presets).map(([name, preset]) => [name, resolveParts(preset, `presets.${name}`, outputs)]),
  )
}

function resolveParts(preset: PresetOrParts, place: string, outputs: readonly string[]): DirectiveSet {
  if (!isParts(preset)) return resolvePreset(preset, place, outputs)
  if (preset.length === 0) throw invalidOption(place, 'at least one part', preset)
  const parts = preset.map((part, index): DirectiveSet => {
    const at = `${place}[${index}]`
    if (!isPlainObject(part)) throw invalidOption(at, 'an object', part)
    const { media, ...rest } = part
    const isLast = index === preset.length - 1
    if (isLast && media !== undefined)
      throw invalidOption(`${at}.media`, 'nothing, as the last part is for every other medium,', media)
    if (!isLast && (typeof media !== 'string' || media.trim() === ''))
      throw invalidOption(`${at}.media`, 'a media query', media)
    const set = resolvePreset(rest, at, outputs)
    if (set.shape !== undefined && set.shape.as !== 'picture')
      throw invalidOption(`${at}.as`, "'picture'", set.shape.as)
    return { ...set, shape: { as: 'picture' }, ...(media !== undefined && { media: media.trim() }) }
  })
  return { alternatives: {}, parts }
}

const isParts = (preset: PresetOrParts): preset is readonly MediaPreset[] => Array.isArray(preset)

function resolvePreset(preset: Preset, place: string, outputs: readonly string[]): DirectiveSet {
  if (!isPlainObject(preset)) throw invalidOption(place, 'an object', preset)
  const written = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(preset) as [string, unknown][]) {
    if (name === 'preset' || !DIRECTIVE_NAMES.includes(name)) throw unknownDirective(name, place)
    const option = `${place}.${name}`
    const isList = OPERATION_DIRECTIVES.some(({ word, alternatives }) => word === name && !alternatives)
    if (value !== undefined) written.set(name, isList ? [asList(value, option)] : asValues(value, option))
  }
  const directives = parseDirectives(written, place, outputs)
  const { w, ...others } = directives.alternatives
  // The widths of `auto` are found out image by image; here any number does.
  const sized = { ...others, ...(w !== undefined && { w: w.map((width) => (width === AUTO_WIDTH ? 1 : width)) }) }
  for (const combination of cartesianProduct(sized)) checkResize(combination, `${place}.`)
  return directives
}

function asValues(value: unknown, option: string): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (values.length === 0) throw invalidOption(option, 'at least one value', value)
  return values.flatMap((each) => {
    if (typeof each === 'string') return splitAlternatives(each)
    if (typeof each === 'number' || typeof each === 'boolean') return [String(each)]
    throw invalidOption(option, 'a string, a number, true, false, or a list of them', each)
  })
}

function asList(value: unknown, option: string): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) throw invalidOption(option, 'a list of strings', value)
  return value.length === 0 ? 'none' : value.join(',')
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
