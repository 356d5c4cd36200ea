import { plainObject } from './parsers.ts'
import type { Parser } from './parsers.ts'
import { refuseUnknownKeys } from './unknown-key.ts'
import type { Flags } from './flags.ts'

/** Everything that is known of one option: what reads, checks and documents options is made from these rows. */
export interface OptionRow<Value> {
  readonly parser: Parser<Value>
  /** The value where the option is not given; nothing where other things decide that. */
  readonly default?: () => Value | undefined
  /** The default as the documentation shows it, in Markdown. */
  readonly shownDefault: string
  /** One line of documentation, in Markdown. */
  readonly doc: string
  /** Bundlers whose plugins take it. Default: all of them. */
  readonly bundlers?: readonly string[]
  /** The flags of the command that mean the same. */
  readonly flags?: Flags
}

/** The row of an option that always has a value. */
export interface DefaultedRow<Value> extends OptionRow<Value> {
  readonly default: () => Value
}

/** The value of an option where it is given: the type of its one member. */
export type ValueOf<Member extends object> = NonNullable<Member[keyof Member]>

/** The members of all types of a union as one type, each with its own docstring. */
export type Together<Each> = (Each extends unknown ? (each: Each) => void : never) extends (each: infer All) => void
  ? All
  : never

/** Rows by the names of their options. */
export type Rows<Options> = {
  readonly [Key in keyof Options]-?: OptionRow<Exclude<Options[Key], undefined>>
}

/**
 * Checks options by their rows and fills in the defaults.
 * @throws PixpressError `INVALID_OPTION` for an option that has no row, or whose value is not accepted
 */
export function parseOptions<Options extends object>(rows: Rows<Options>, options: Options): Options {
  const given = plainObject('options', options)
  refuseUnknownKeys('', given, Object.keys(rows))
  const parsed = Object.entries<OptionRow<unknown>>(rows).flatMap(([key, row]) => {
    const value = given[key] === undefined ? row.default?.() : row.parser.parse(given[key], key)
    return value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(parsed) as Options
}
