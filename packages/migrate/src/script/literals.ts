import { closerOf, isPunctuator, partsOf, stringOf } from './tokens.ts'
import type { Piece, Stretch } from './tokens.ts'

/** The value of an option as it is written. */
export interface Written {
  readonly text: string
  /** UTF-16 offset. */
  readonly start: number
  /** Its value, if that is a literal; `undefined` for a regular expression, a name, a call or a function. */
  readonly literal: unknown
  readonly isRegex: boolean
  /** The entries of an object that is written out. */
  readonly entries?: readonly Entry[] | undefined
  /** The items of a list that is written out. */
  readonly items?: readonly Written[] | undefined
}

/** One option of an object literal. */
export interface Entry {
  readonly key: string
  readonly start: number
  readonly value: Written
}

const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

/** Reads the value at a stretch of tokens. */
export function readWritten(code: string, tokens: readonly Piece[], { from, to }: Stretch): Written {
  const [first, last] = [tokens[from]!, tokens[to - 1]!]
  const entries = readEntries(code, tokens, { from, to })
  const isList = isPunctuator(first, '[') && closerOf(tokens, from) === to - 1
  const items = isList ? partsOf(tokens, from, to - 1).map((part) => readWritten(code, tokens, part)) : undefined
  return {
    text: code.slice(first.start, last.end),
    start: first.start,
    literal: literalOf(code, tokens, { from, to }),
    isRegex: to - from === 1 && first.type === 'RegularExpressionLiteral',
    ...(entries && { entries }),
    ...(items && { items }),
  }
}

/** The entries of an object literal; `undefined` where it is none, or has methods, spreads or computed names. */
export function readEntries(
  code: string,
  tokens: readonly Piece[],
  { from, to }: Stretch,
): readonly Entry[] | undefined {
  if (!isPunctuator(tokens[from], '{') || closerOf(tokens, from) !== to - 1) return undefined
  const entries: Entry[] = []
  for (const part of partsOf(tokens, from, to - 1)) {
    const name = tokens[part.from]!
    const key = stringOf(name) ?? (name.type === 'IdentifierName' ? name.value : undefined)
    if (key === undefined) return undefined
    const isShort = part.to - part.from === 1
    if (!isShort && !isPunctuator(tokens[part.from + 1], ':')) return undefined
    const value = readWritten(code, tokens, isShort ? part : { from: part.from + 2, to: part.to })
    entries.push({ key, start: name.start, value: isShort ? { ...value, literal: undefined } : value })
  }
  return entries
}

function literalOf(code: string, tokens: readonly Piece[], { from, to }: Stretch): unknown {
  const first = tokens[from]!
  if (to - from === 1) {
    if (Object.hasOwn(WORDS, first.value)) return WORDS[first.value]
    return first.type === 'NumericLiteral' ? Number(first.value) : stringOf(first)
  }
  if (isPunctuator(first, '[') && closerOf(tokens, from) === to - 1) {
    const items = partsOf(tokens, from, to - 1).map((part) => literalOf(code, tokens, part))
    return items.includes(undefined) ? undefined : items
  }
  const entries = readEntries(code, tokens, { from, to })
  if (entries === undefined || entries.some(({ value }) => value.literal === undefined)) return undefined
  return Object.fromEntries(entries.map(({ key, value }) => [key, value.literal]))
}
