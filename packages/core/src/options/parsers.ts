import { invalidOption } from '../base/errors.ts'
import { nearest, refuseUnknownKeys } from './unknown-key.ts'

/** A JSON Schema, as far as options need it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Checks what was written for an option, and gives it in its canonical form. */
export interface Parser<Value> {
  /**
   * @param option its name in messages
   * @throws PixpressError `INVALID_OPTION`
   */
  parse(value: unknown, option: string): Value
  /** The accepted values, as far as JSON can hold them. */
  readonly schema: JsonSchema
}

/** Parsers of the members of an object. */
export type Fields = Readonly<Record<string, Parser<unknown>>>

/** Parses a whole number. */
export function whole(least: number, most?: number): Parser<number> {
  const expected =
    most === undefined ? `a whole number of at least ${least}` : `a whole number from ${least} to ${most}`
  return parser({ type: 'integer', minimum: least, ...(most !== undefined && { maximum: most }) }, expected, isFitting)

  function isFitting(value: unknown): value is number {
    return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= (most ?? Infinity)
  }
}

/** Parses a number between two bounds. */
export function number(least: number, most: number): Parser<number> {
  return parser(
    { type: 'number', minimum: least, maximum: most },
    `a number from ${least} to ${most}`,
    (value): value is number => isWithin(value, least, most),
  )
}

/** Tells whether a value is a number within bounds. */
export function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

/** A part of a whole. */
export const SHARE: Parser<number> = parser(
  { type: 'number', minimum: 0, maximum: 1 },
  'a number from 0 to 1',
  (value): value is number => typeof value === 'number' && value >= 0 && value <= 1,
)

/** Parses `true` or `false`. */
export const FLAG: Parser<boolean> = parser(
  { type: 'boolean' },
  'true or false',
  (value): value is boolean => typeof value === 'boolean',
)

/** Parses a text that is not empty. @param expected what it stands for, in a message */
export function text(expected: string): Parser<string> {
  return parser(
    { type: 'string', minLength: 1 },
    expected,
    (value): value is string => typeof value === 'string' && value !== '',
  )
}

/** Parses one of some words. */
export function oneOf<Word extends string>(words: readonly Word[]): Parser<Word> {
  return {
    schema: { enum: words },
    parse(value, option) {
      if (isOneOf(words, value)) return value
      throw invalidOption(option, listed(words), value, suggestion(value, words))
    },
  }
}

/**
 * Parses an object in which every field may be left out; the result has those that are given, in the order of the
 * fields.
 */
export function record<Value extends object>(fields: { readonly [Key in keyof Value]-?: Parser<Value[Key]> }): Parser<{
  [Key in keyof Value]?: Exclude<Value[Key], undefined>
}> {
  const entries = Object.entries(fields) as [string, Parser<unknown>][]
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, { schema }]) => [key, schema])),
      additionalProperties: false,
    },
    parse(value, option) {
      const given = plainObject(option, value)
      refuseUnknownKeys(option, given, Object.keys(fields))
      const parsed = entries.flatMap(([key, field]) =>
        given[key] === undefined ? [] : [[key, field.parse(given[key], `${option}.${key}`)] as const],
      )
      return Object.fromEntries(parsed) as { [Key in keyof Value]?: Exclude<Value[Key], undefined> }
    },
  }
}

/** Parses either a switch, or settings, which switch on as well. */
export function flagOr<Value extends object>(settings: Parser<Value>): Parser<boolean | Value> {
  return {
    schema: { anyOf: [FLAG.schema, settings.schema] },
    parse: (value, option) => (typeof value === 'boolean' ? value : settings.parse(value, option)),
  }
}

/** Parses an object whose members are checked where they are used. */
export function object<Value extends object>(): Parser<Value> {
  return { schema: { type: 'object' }, parse: (value, option) => plainObject(option, value) as Value }
}

/** @throws PixpressError `INVALID_OPTION` */
export function plainObject(option: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidOption(option, 'an object', value)
  return value as Record<string, unknown>
}

/** Tells whether a value is one of some words. */
export function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return (words as readonly unknown[]).includes(value)
}

/** Lists words as `'a', 'b' or 'c'`. */
export function listed(words: readonly string[]): string {
  return words
    .map((word) => `'${word}'`)
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1')
}

/** Lists words as Markdown code: `` `a`, `b`, `c` ``. */
export function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

/** Suggests the nearest word; nothing for a value that is no text. */
export function suggestion(value: unknown, words: readonly string[]): string {
  const near = typeof value === 'string' ? nearest(value, words) : undefined
  return near === undefined ? '' : `Did you mean '${near}'?`
}

function parser<Value>(
  schema: JsonSchema,
  expected: string,
  isFitting: (value: unknown) => value is Value,
): Parser<Value> {
  return {
    schema,
    parse(value, option) {
      if (isFitting(value)) return value
      throw invalidOption(option, expected, value)
    },
  }
}
