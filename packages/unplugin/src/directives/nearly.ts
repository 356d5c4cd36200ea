import { typeOfWord } from '@pixpress/core/internal'
import { isBundlerParameter } from './query.ts'
import { FLAGS, FORMATS } from './vocabulary.ts'

/** A size as people write it: `300`, `300x200`. */
const SIZE = /^(\d+)(?:\s*[x×,]\s*(\d+))?$/i

const sized = (value: string): readonly string[] => {
  const [, width = '300', height] = SIZE.exec(value) ?? []
  return height === undefined ? [`w=${width}`] : [`w=${width}`, `h=${height}`]
}

const widths = (value: string): readonly string[] => {
  const numbers = value.match(/\d+/g) ?? ['300', '600']
  return [`w=${numbers.join(';')}`, 'as=srcset']
}

const placeholder = (): readonly string[] => ['lqip=thumbhash', 'as=img']

/**
 * Words that people write for what a directive does, with what says it: none of them is another tool's mark on an
 * image.
 */
const MEANT: Readonly<Record<string, (value: string) => readonly string[]>> = {
  size: sized,
  resize: sized,
  crop: (value) => (SIZE.test(value) ? [...sized(value), 'fit=cover'] : ['w=300', 'h=200', 'fit=cover']),
  sizes: widths,
  placeholder,
  thumbhash: placeholder,
  blurhash: () => ['lqip=blurhash', 'as=img'],
  q: (value) => [`quality=${/^\d+$/.test(value) ? value : '80'}`],
  fm: (value) => [`format=${value === '' ? 'webp' : value}`],
}

/** Describes what is meant by a query that is nearly one of directives. */
export interface NearQuery {
  /** The words for which nothing is done. */
  readonly words: readonly string[]
  /** The query to write, with its `?`; empty where what is meant can only be had in an import. */
  readonly meant: string
}

/**
 * Reads a query that no directive stands in, and every word of which people write for one. A word of anything else, a
 * cache buster of its own among them, makes it someone else's.
 * @param isOneUrl whether only one URL can stand there: then several sizes become one, and shapes are left out
 * @returns `undefined` for all others
 */
export function nearQuery(text: string, isOneUrl: boolean = false): NearQuery | undefined {
  const parameters = [...new URLSearchParams(text)].filter(
    ([name]) => !isBundlerParameter(name) && !FLAGS.some((flag) => flag === name),
  )
  const meant = parameters.map(([name, value]) => meantBy(name, value))
  if (meant.length === 0 || meant.includes(undefined)) return undefined
  const words = parameters.map(([name]) => name)
  const parts = [...new Set(meant.flatMap((each) => each ?? []))]
  const kept = isOneUrl
    ? parts.filter((part) => !/^(?:as|lqip)=/.test(part)).map((part) => part.replace(/=.*;/, '='))
    : parts
  return { words, meant: kept.length === 0 ? '' : `?${kept.join('&')}` }
}

function meantBy(name: string, value: string): readonly string[] | undefined {
  if (Object.hasOwn(MEANT, name)) return MEANT[name]!(value)
  const isType = FORMATS.some((format) => format === name) || typeOfWord(name) !== undefined
  // `original` is a flag, and `auto` another's as likely as ours.
  return isType && value === '' && name !== 'auto' ? [`format=${name}`] : undefined
}
