import { didYouMean, EFFORTS, invalidOption, PRESERVE_ITEMS, QUALITY_LEVELS, RESIZE_METHODS } from '@pixpress/core'
import type { Effort, PreserveItem, QualityTarget, ResizeMethod } from '@pixpress/core'
import { unknownDirective } from './spelling.ts'
import {
  FITS,
  FORMAT_ALIASES,
  FORMATS,
  METADATA_KEYS,
  OUTPUTS,
  PRODUCT_DIRECTIVES,
  REFUSED_FITS,
} from './vocabulary.ts'
import type { Fit, Format, MetadataKey, ProductDirective } from './vocabulary.ts'

/** One value for each product directive that was given: what one image is asked to be. */
export interface Combination {
  /** Pixels. */
  w?: number
  /** Pixels. */
  h?: number
  fit?: Fit
  method?: ResizeMethod
  background?: `#${string}` | 'white' | 'black'
  format?: Format
  quality?: QualityTarget
  maxBytes?: number
  effort?: Effort
}

/** The alternatives of each product directive. The order of the keys is the order of the product, the first outermost. */
export type Alternatives = { [Name in keyof Combination]?: readonly NonNullable<Combination[Name]>[] }

/** What the module of an import exports. */
export type OutputShape =
  | { readonly as: 'url' | 'srcset' | 'img' | 'picture' }
  | { readonly as: 'metadata'; readonly keys?: readonly MetadataKey[] }

/** The directives of a query or of a preset, each value checked by itself. */
export interface DirectiveSet {
  readonly alternatives: Alternatives
  readonly preserve?: readonly PreserveItem[]
  readonly shape?: OutputShape
  /** Pixels of width at density 1; 0 turns a preset's off. */
  readonly basePixels?: number
}

/** Checks one written value. `option` is its name in a message. */
type ValueParser<T> = (value: string, option: string) => T

const PARSERS: { readonly [Name in ProductDirective]: ValueParser<NonNullable<Combination[Name]>> } = {
  w: parseWhole,
  h: parseWhole,
  fit: parseFit,
  method: (value, option) => parseWord(value, option, RESIZE_METHODS),
  background: parseBackground,
  format: (value, option) =>
    parseWord(Object.hasOwn(FORMAT_ALIASES, value) ? FORMAT_ALIASES[value]! : value, option, FORMATS),
  quality: parseQuality,
  maxBytes: parseWhole,
  effort: (value, option) => parseWord(value, option, EFFORTS),
}

/**
 * Checks every directive by itself; whether they go together is checked once the preset and the query are merged.
 * @param directives Directive to alternatives, as `parseQuery` gives them, without `preset`.
 * @param prefix What to put before a directive's name in a message.
 * @throws PixpressError `INVALID_OPTION`: names the directive, what was expected, and what came.
 */
export function parseDirectives(directives: ReadonlyMap<string, readonly string[]>, prefix: string = ''): DirectiveSet {
  const alternatives: Alternatives = {}
  const single: { preserve?: readonly PreserveItem[]; shape?: OutputShape; basePixels?: number } = {}
  for (const [name, values] of directives) {
    const option = prefix + name
    if (isProductDirective(name)) Object.assign(alternatives, { [name]: parseAlternatives(name, values, option) })
    else if (name === 'preserve') single.preserve = parsePreserve(values, option)
    else if (name === 'as') single.shape = parseShape(onlyValue(values, option), option)
    else if (name === 'basePixels') single.basePixels = parseBasePixels(onlyValue(values, option), option)
    else throw unknownDirective(name, option)
  }
  return { alternatives, ...single }
}

/** The one value of a directive that takes no alternatives. */
export function onlyValue(values: readonly string[], option: string): string {
  const [value, second] = values
  if (value === undefined || second !== undefined) throw invalidOption(option, 'exactly one value', values.join(';'))
  return value
}

function isProductDirective(name: string): name is ProductDirective {
  return (PRODUCT_DIRECTIVES as readonly string[]).includes(name)
}

function parseAlternatives<Name extends ProductDirective>(
  name: Name,
  values: readonly string[],
  option: string,
): readonly NonNullable<Combination[Name]>[] {
  return [...new Set(values.map((value) => PARSERS[name](value, option)))]
}

function parseWhole(value: string, option: string): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) === 0)
    throw invalidOption(option, 'a whole number of at least 1', value)
  return Number(value)
}

function parseFit(value: string, option: string): Fit {
  if (Object.hasOwn(REFUSED_FITS, value)) {
    throw invalidOption(option, oneOf(FITS), value, REFUSED_FITS[value])
  }
  return parseWord(value, option, FITS)
}

function parseBackground(value: string, option: string): `#${string}` | 'white' | 'black' {
  if (value === 'white' || value === 'black') return value
  // `#` begins the fragment of a URL, so it may be left out.
  const digits = /^#?([\da-f]{6})$/i.exec(value)?.[1]
  if (digits === undefined) {
    throw invalidOption(option, "a colour of the form 'rrggbb' or '#rrggbb', 'white' or 'black'", value)
  }
  return `#${digits.toLowerCase()}`
}

function parseQuality(value: string, option: string): QualityTarget {
  if (Object.hasOwn(QUALITY_LEVELS, value)) return value as keyof typeof QUALITY_LEVELS
  const score = /^\d{1,3}(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  if (score >= 1 && score <= 100) return score
  const levels = Object.keys(QUALITY_LEVELS)
  throw invalidOption(option, `${oneOf(levels)}, or a score from 1 to 100`, value, didYouMean(value, levels))
}

/** One list, separated by commas so that it cannot be taken for alternatives; `none` is the empty one. */
function parsePreserve(values: readonly string[], option: string): readonly PreserveItem[] {
  const [list, second] = values
  if (list === undefined || second !== undefined) {
    const example = `preserve=${values.join(',')}`
    throw invalidOption(option, 'one list separated by commas', values.join(';'), `Write '${example}'.`)
  }
  if (list === 'none') return []
  const items = list.split(',').map((item) => parseWord(item.trim(), option, PRESERVE_ITEMS))
  return PRESERVE_ITEMS.filter((item) => items.includes(item))
}

function parseShape(value: string, option: string): OutputShape {
  const [written = '', list] = value.split(/:(.*)/s)
  const as = parseWord(written, option, OUTPUTS)
  if (as !== 'metadata' && as !== 'meta') {
    if (list !== undefined) throw invalidOption(option, `'${as}' without a list of keys`, value)
    return { as }
  }
  if (list === undefined) return { as: 'metadata' }
  const keys = list.split(';').map((key) => parseWord(key.trim(), option, METADATA_KEYS))
  return { as: 'metadata', keys: METADATA_KEYS.filter((key) => keys.includes(key)) }
}

function parseBasePixels(value: string, option: string): number {
  if (!/^\d{1,9}$/.test(value)) throw invalidOption(option, 'a whole number of pixels', value)
  return Number(value)
}

function parseWord<Word extends string>(value: string, option: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === value)
  if (word === undefined) throw invalidOption(option, oneOf(words), value, didYouMean(value, words))
  return word
}

const oneOf = (words: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(words.map((word) => `'${word}'`))
