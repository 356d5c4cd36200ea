import { PixpressError } from '@pixpress/core'
import { invalidOption, listed, nearest } from '@pixpress/core/internal'
import { KEY_OPERATIONS } from '../storage/key-store.ts'
import type { KeyChanges, KeyOperation, KeyTerms, RateSettings } from '../storage/contract.ts'
import { parsePeriod, parseRate, parseWhole } from './units.ts'

/** Where a value is written: how messages call it, and from when a period counts, if periods are understood there. */
export interface TermPlace {
  readonly option: string
  /** Milliseconds since 1970. */
  readonly now?: number | undefined
}

/** The word of a term in a keys file, and as a flag of `pixpress keys`. */
export type TermWord = 'monthly-limit' | 'rate' | 'expires' | 'operations'

/** The row of a term of keys. */
interface TermRow {
  readonly term: keyof KeyTerms
  readonly value: string
  readonly description: string
  /** Returns `null` for what the server's defaults have. @throws PixpressError `INVALID_OPTION` */
  parse(text: string, place: TermPlace): KeyChanges[keyof KeyTerms]
}

/** Every term of a key. */
export const KEY_TERMS: Readonly<Record<TermWord, TermRow>> = {
  'monthly-limit': {
    term: 'monthlyLimit',
    value: 'N',
    description: "compressions of the account per month, `none`, or `default`: the server's `--monthly-limit`",
    parse: (text, { option }) => (text === 'default' ? null : text === 'none' ? 'none' : parseWhole(option, text, 1)),
  },
  rate: {
    term: 'rate',
    value: '100/s',
    description: "requests of the account, `none`, or `default`: the server's `--rate`",
    parse: (text, { option }) => (text === 'default' ? null : (parseRate(option, text) ?? 'none')),
  },
  expires: {
    term: 'expiresAt',
    value: 'DATE',
    description: 'day (UTC) from whose beginning on the key is refused, time of ISO 8601, period as `90d`, or `never`',
    parse: parseExpiry,
  },
  operations: {
    term: 'operations',
    value: 'LIST',
    description: `what the key may be used for, with commas, of ${inWords(KEY_OPERATIONS)}; or \`all\``,
    parse: parseOperations,
  },
}

/** Parses terms that were given as texts by their words. @throws PixpressError `INVALID_OPTION` */
export function parseTerms(
  given: Readonly<Partial<Record<TermWord, string | undefined>>>,
  nameOf: (word: TermWord) => string,
  now?: number,
): KeyChanges {
  const changes: Record<string, unknown> = {}
  for (const [word, { term, parse }] of Object.entries(KEY_TERMS) as [TermWord, TermRow][]) {
    const text = given[word]
    if (text !== undefined) changes[term] = parse(text, { option: nameOf(word), now })
  }
  return changes
}

/** Returns what is left when the terms that are `null` are taken away. */
export function withoutNulls(changes: KeyChanges): KeyTerms {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)) as KeyTerms
}

/** @throws PixpressError `INVALID_OPTION` that suggests the right word */
export function assertTermWord(word: string, where: string): asserts word is TermWord {
  if (Object.hasOwn(KEY_TERMS, word)) return
  const near = nearest(word, Object.keys(KEY_TERMS))
  const hint = near === undefined ? `Known are ${listed(Object.keys(KEY_TERMS))}.` : `Did you mean '${near}'?`
  throw new PixpressError('INVALID_OPTION', `Unknown word before '=' in ${where}. ${hint}`)
}

function inWords(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

const UNITS = { s: 1e3, min: 60e3, h: 3_600e3, d: 86_400e3 } as const

/** Writes a rate as it was given: `100/s`. */
export function rateText({ interval, burst }: RateSettings): string {
  const period = Math.round(interval * burst)
  const unit = Object.entries(UNITS).find(([, milliseconds]) => milliseconds === period)?.[0]
  return `${burst}/${unit ?? `${period / 1000}s`}`
}

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/
const PERIOD = /^\d+(?:\.\d+)?\s*[a-z]+$/i

function parseExpiry(text: string, { option, now }: TermPlace): number | null {
  if (text === 'never') return null
  if (now !== undefined && PERIOD.test(text)) return now + parsePeriod(option, text)
  const time = DAY.test(text) || TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isFinite(time) && isDay(text.slice(0, 10))) return time
  const period = now === undefined ? '' : ", a period such as '90d'"
  throw invalidOption(
    option,
    `a day such as '2030-01-31', a time such as '2030-01-31T12:00Z'${period}, or 'never'`,
    text,
  )
}

/** Days that no month has are read as those of the next month. */
function isDay(text: string): boolean {
  const time = Date.parse(text)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

function parseOperations(text: string, { option }: TermPlace): readonly KeyOperation[] | null {
  if (text === 'all') return null
  const words = text.split(',')
  const unknown = words.find((word) => !KEY_OPERATIONS.some((each) => each === word))
  if (unknown === undefined) return KEY_OPERATIONS.filter((each) => words.includes(each))
  const near = nearest(unknown, KEY_OPERATIONS)
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`
  throw new PixpressError(
    'INVALID_OPTION',
    `Expected words of ${listed(KEY_OPERATIONS)} with commas, or 'all', for '${option}'.${hint}`,
  )
}
