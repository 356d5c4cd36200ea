import { PixpressError } from '@pixpress/core'
import { cartesianProduct } from '../directives/combination.ts'
import type { Alternatives } from '../directives/combination.ts'
import { parseDirectives } from '../directives/parse.ts'
import { parseQuery } from '../directives/query.ts'
import { readQuery } from '../modules/reference.ts'
import { splitUrl } from '../references/url.ts'
import type { Wish } from './types.ts'

/** Describes what a URL is to ask for. */
export interface AskedImage {
  readonly widths?: readonly number[] | undefined
  readonly format?: 'webp' | undefined
  /** The shape of an import that asks for none yet. */
  readonly as?: 'srcset' | 'url' | undefined
}

/** Values of `as` that take any number of widths. */
const SETS: ReadonlySet<string> = new Set(['srcset', 'img', 'picture'])

/** Words beside which a width would mean a crop, or which decide it already. */
const BOUND = ['h', 'height', 'aspect', 'preset', 'fit', 'method', 'width', 'basePixels']

/** The name of a parameter of a query. */
const named = (pair: string): string => pair.split('=')[0]!

/** Tells whether the query of a URL gives as many images as it has widths. */
export const isSet = (url: string): boolean =>
  SETS.has(parseQuery(splitUrl(url).query).directives.get('as')?.join(';') ?? '')

/** Tells whether a URL stands for the source at its own width, and the widest that is wished for is that width. */
export const isWideAlready = (url: string, { widths, most = Infinity }: Pick<Wish, 'widths' | 'most'>): boolean =>
  widths !== undefined && widths.at(-1)! >= most && !/[?&]w=/.test(url)

/**
 * A URL with other directives; `undefined` where its query is another plugin's, asks for the untouched file, or says
 * more of the size than can be kept.
 */
export function askFor(url: string, { widths, format, as }: AskedImage): string | undefined {
  const { path, query, hash } = splitUrl(url)
  const { isOwn, raw, original, inline, url: isUrl } = readQuery(query)
  if (!isOwn || raw || original || isUrl || inline !== undefined) return undefined
  const pairs = query === '' ? [] : query.slice(1).split('&')
  if (widths !== undefined && pairs.some((pair) => BOUND.includes(named(pair)))) return undefined
  const numbers = widths === undefined ? undefined : isSet(url) || as === 'srcset' ? widths : widths.slice(-1)
  const wanted: [name: string, value: string | undefined][] = [
    ['w', numbers?.join(';')],
    [
      'format',
      isSet(url) && format !== undefined && pairs.some((pair) => named(pair) === 'format') ? undefined : format,
    ],
    ['as', as],
  ]
  const given = wanted.filter((each): each is [string, string] => each[1] !== undefined && each[1] !== '')
  const kept = pairs.map((pair) => given.find(([name]) => name === named(pair))?.join('=') ?? pair)
  const added = given.filter(([name]) => !pairs.some((pair) => named(pair) === name)).map((each) => each.join('='))
  // TypeScript tells imports apart by how they end.
  const all = [...kept, ...added].toSorted((a, b) => Number(named(a) === 'as') - Number(named(b) === 'as'))
  return `${path}${all.length === 0 ? '' : `?${all.join('&')}`}${hash}`
}

/**
 * Tells whether the parser of directives takes the query of a URL.
 * @param isOneUrl whether only one image can stand in its place
 */
export function isTaken(url: string, isOneUrl: boolean): boolean {
  const query = readQuery(splitUrl(url).query)
  if (!query.isOwn) return false
  if (!query.hasDirectives) return true
  try {
    const { alternatives, shape } = parseDirectives(query.directives)
    return !isOneUrl || ((shape?.as ?? 'url') === 'url' && cartesianProduct(alternatives as Alternatives).length === 1)
  } catch (error) {
    if (error instanceof PixpressError) return false
    throw error
  }
}
