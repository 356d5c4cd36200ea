import { parseArgs } from 'node:util'
import { nearest } from '@pixpress/core'
import { UsageError } from './usage-error.ts'

/** One flag of a command: what the parser, the help and the documentation know of it. */
export interface Flag {
  /** What stands for its value in the help, as in `--out DIR`. Without one the flag is a switch. */
  readonly value?: string
  /** One letter that means the same. */
  readonly short?: string
  readonly description: string
}

export type Flags = Readonly<Record<string, Flag>>

/** What was given: a switch is `true`, any other flag its text; `undefined` where it was not given. */
export type FlagValues<F extends Flags> = {
  readonly [Name in keyof F]: (F[Name] extends { value: string } ? string : boolean) | undefined
}

export interface ParsedArguments<F extends Flags> {
  readonly flags: FlagValues<F>
  readonly positionals: readonly string[]
}

/**
 * Reads a command's arguments. Everything behind `--` is no flag.
 * @throws UsageError for a flag that is unknown, lacks its value, has one it does not take, or is given twice
 */
export function parseFlags<const F extends Flags>(args: readonly string[], known: F): ParsedArguments<F> {
  const { tokens, positionals } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(known).map(([name, { value, short }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) } as const,
      ]),
    ),
  })
  const flags: Record<string, string | boolean> = {}
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (flag === undefined) throw unknownFlag(token.rawName, known)
    if (Object.hasOwn(flags, token.name)) throw new UsageError(`${token.rawName} is given twice.`)
    flags[token.name] = valueOf(flag, token)
  }
  return { flags: flags as FlagValues<F>, positionals }
}

interface OptionToken {
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function valueOf(flag: Flag, { rawName, value, inlineValue }: OptionToken): string | boolean {
  if (flag.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value, and '${value}' was given.`)
    return true
  }
  // The next flag is not this one's value; `--out=-odd` still says what it wants.
  const isNextFlag = inlineValue === false && /^-./.test(value ?? '')
  if (value === undefined || value === '' || isNextFlag)
    throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.value}.`)
  return value
}

function unknownFlag(given: string, known: Flags): UsageError {
  const names = Object.keys(known).map((name) => `--${name}`)
  const near = nearest(given, names)
  const hint = near === undefined ? "See 'pixpress --help'." : `Did you mean '${near}'?`
  return new UsageError(`Unknown option '${given}'. ${hint}`)
}

/** The flags as lines of the help: `  --out DIR   where …`. */
export function describeFlags(flags: Flags): string {
  const rows = Object.entries(flags).map(([name, { value, short, description }]) => ({
    left: `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    description,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length))
  return rows.map(({ left, description }) => `  ${left.padEnd(width)}  ${description}`).join('\n')
}

/** @throws UsageError unless the text is a whole number of at least `least` */
export function wholeNumber(flag: string, text: string | undefined, least = 1): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new UsageError(`--${flag} must be a whole number of at least ${least}; '${text}' was given.`)
}
