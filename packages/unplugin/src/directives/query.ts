import { POSITION_SHORTHANDS, typeOfWord } from '@pixpress/core/internal'
import { DIRECTIVE_NAMES } from './rows.ts'
import { isMisspeltDirective, isOwnWord } from './spelling.ts'
import {
  ALIASES,
  BUNDLER_PARAMETERS,
  BUNDLER_PREFIXES,
  FITS,
  FLAGS,
  FOREIGN_MARKS,
  FORMATS,
  FOREIGN_WHERE_BARE,
  GIVEN_DIRECTIVES,
  SHAPE_WORDS,
  UNSUPPORTED_DIRECTIVES,
} from './vocabulary.ts'

/** The query of an image reference, sorted into what is Vite's, what is ours and what is nobody's business here. */
export interface ImageQuery {
  /** The query as it is written, with or without its `?`. */
  readonly text: string
  /** `?raw`: the file as text, the bundler's own job. */
  readonly raw: boolean
  /** `?url`: the URL as a string, what an image import gives anyway. */
  readonly url: boolean
  /** `true` for `?inline`, `false` for `?no-inline` (which wins over `?inline`), `undefined` when it is left open. */
  readonly inline: boolean | undefined
  /** `?original`: the bytes as they are on disk. */
  readonly original: boolean
  /** Directive to alternatives, both in the order of the query; not validated yet. */
  readonly directives: ReadonlyMap<string, readonly string[]>
  /**
   * Tells whether the query is ours to answer. Ask this before the flags: `resolveDirectives` refuses the flags that
   * cannot stand beside a directive.
   */
  readonly hasDirectives: boolean
}

/** Holds what most references have, of which a build may have thousands. */
const NO_QUERY: ImageQuery = {
  text: '',
  raw: false,
  url: false,
  inline: undefined,
  original: false,
  directives: new Map<string, readonly string[]>(),
  hasDirectives: false,
}

/**
 * Reads the query of a module id or URL, with or without its `?`. Percent escapes are decoded, and a `#` needs none.
 *
 * A query is ours when it has a directive, or a directive of imagetools that is not supported, or when nothing in it
 * can be anything but another word for a directive (`?width=300`) or a misspelt one (`?widht=300`). Then every
 * parameter that is not a flag or a bundler's own (`import`, `t`, `v`, …) is kept in `directives`, so that a second one
 * that is misspelt (`?w=300&fromat=webp`) is refused rather than ignored. Every other query belongs to someone else and
 * has no directives: `?react`, `?foo=1`, `?origWidth=4&width=2`, and those that bear the mark of a plugin with the same
 * directives, a word without a value (`?enhanced&w=300`, `?w=300&jsx`).
 */
export function parseQuery(query: string): ImageQuery {
  if (query === '') return NO_QUERY
  const parameters = [...new URLSearchParams(query)]
  const has = (name: string): boolean => parameters.some(([key]) => key === name)
  // Vite takes `raw` and `url` for its own only when they are bare, and `inline` and `no-inline` in any form.
  const bare = (name: string): boolean => parameters.some(([key, value]) => key === name && value === '')
  const directives = collectDirectives(parameters)
  return {
    text: query,
    raw: bare('raw'),
    url: bare('url'),
    inline: has('no-inline') ? false : has('inline') ? true : undefined,
    original: has('original'),
    directives,
    hasDirectives: directives.size > 0,
  }
}

/**
 * The alternatives in one value: `;` separates them, except in a value with a colon, which is one
 * (`meta:width;height`). That is imagetools' rule (`extractEntries` in its `parse-url.ts`).
 */
export function splitAlternatives(value: string): readonly string[] {
  return value.includes(':') ? [value.trim()] : value.split(';').map((alternative) => alternative.trim())
}

function collectDirectives(parameters: readonly Parameter[]): ReadonlyMap<string, readonly string[]> {
  const candidates = parameters.filter(([key]) => !includes(FLAGS, key) && !isBundlerParameter(key))
  return gathered(isOurs(candidates) ? candidates.map(spelledOut) : [])
}

function gathered(parameters: readonly Parameter[]): ImageQuery['directives'] {
  const directives = new Map<string, readonly string[]>()
  for (const [written, value] of parameters) {
    const key = Object.hasOwn(ALIASES, written) ? ALIASES[written]! : written
    const values = key === 'aspect' ? value.split(';') : splitAlternatives(value)
    directives.set(key, [...(directives.get(key) ?? []), ...values])
  }
  return directives
}

/** Directives of a query that stand among words of the project's own, which are left out. */
export function directivesAmong(query: string): ImageQuery['directives'] {
  const parameters = [...new URLSearchParams(query)].map(spelledOut)
  return gathered(parameters.filter(([key]) => isDirective(key) || Object.hasOwn(ALIASES, key)))
}

/** Tells whether a query bears the mark of a plugin that speaks the same directives on its own account. */
export function isMarkedForeign(query: string): boolean {
  return FOREIGN_MARKS.some((mark) => new URLSearchParams(query).has(mark))
}

type Parameter = readonly [key: string, value: string]

/**
 * A value that stands without its directive, as imagetools takes them: `?w=200&h=100&contain`, `?w=500&avif&metadata`.
 */
function spelledOut([key, value]: Parameter): Parameter {
  if ((key === 'metadata' || key === 'meta') && value !== '' && value !== 'true') return ['as', `meta:${value}`]
  if (value !== '') return includes(SHAPE_WORDS, key) && value === 'true' ? ['as', key] : [key, value]
  if (includes(SHAPE_WORDS, key) || key === 'img') return ['as', key]
  if (includes(FITS, key)) return ['fit', key]
  if (includes(POSITION_SHORTHANDS, key)) return ['position', key]
  return includes(FORMATS, key) || typeOfWord(key) !== undefined ? ['format', key] : [key, value]
}

/** Tells whether the parameters are directives, be it wrong ones. Those of nobody's plugin, none included, are not. */
function isOurs(parameters: readonly Parameter[]): boolean {
  if (parameters.some(isForeignMark)) return false
  if (parameters.some(([key]) => isDirective(key))) return true
  return parameters.length > 0 && parameters.every(([key, value]) => value !== '' && isMisspeltDirective(key))
}

/** The mark of another plugin is a word without a value that cannot be a mistake for one of ours. */
function isForeignMark([key, value]: Parameter): boolean {
  if (value === '' && includes(FOREIGN_WHERE_BARE, key)) return true
  return includes(FOREIGN_MARKS, key) || (value === '' && !isDirective(key) && !isOwnWord(key))
}

function isDirective(key: string): boolean {
  return (
    [...DIRECTIVE_NAMES, ...GIVEN_DIRECTIVES, ...SHAPE_WORDS].includes(key) ||
    Object.hasOwn(UNSUPPORTED_DIRECTIVES, key)
  )
}

/** A date or version that stands for itself (`?20240101`, `?4.7.0`), so that browsers load a file again. */
const CACHE_BUSTER = /^\d[\d._-]*$/

/** Tells whether a parameter is a bundler's or dev server's own, or is there for caches alone. */
export function isBundlerParameter(key: string): boolean {
  return (
    includes(BUNDLER_PARAMETERS, key) ||
    CACHE_BUSTER.test(key) ||
    BUNDLER_PREFIXES.some((prefix) => key.startsWith(prefix))
  )
}

function includes(list: readonly string[], value: string): boolean {
  return list.includes(value)
}
