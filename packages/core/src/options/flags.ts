import { parseArgs } from 'node:util'
import { PixpressError } from '../base/errors.ts'
import { flagHint } from './flag-meanings.ts'
import { cut } from '../base/shown-value.ts'
import { nearest } from './unknown-key.ts'

/** A flag of a command: the facts for parser, help and documentation. */
export interface Flag {
  /** The placeholder of the value in the help, like `DIR` in `--out DIR`. A flag without one is a switch. */
  readonly value?: string
  /** One letter that means the same. */
  readonly short?: string
  /** One line of Markdown; the help shows it without its marks. */
  readonly description: string
  /** Variable of the environment that means the same. The flag wins. Not for switches. */
  readonly variable?: string
  /** May be given several times. Its values are joined by commas, as they stand in the variable. */
  readonly several?: true
  /** Words that it takes, for shells to complete. Others may be right as well. */
  readonly choices?: readonly string[]
  /** Several of the choices may stand in one value, with commas. */
  readonly commas?: true
}

/** The flags of a command, by name. */
export type Flags = Readonly<Record<string, Flag>>

/** The given values: a switch is `true`, any other flag its text; `undefined` where it was not given. */
export type FlagValues<F extends Flags> = {
  readonly [Name in keyof F]?: (F[Name] extends { value: string } ? string : boolean) | undefined
}

/** Parsed arguments of a command. */
export interface ParsedArguments<F extends Flags> {
  readonly flags: FlagValues<F>
  readonly positionals: readonly string[]
}

/**
 * Reads a command's arguments. Everything behind `--` is no flag. No message shows a value, which may be a secret.
 * @param env fills in the flags that are not given and have a variable there. Default: no variable is read.
 * @throws PixpressError `INVALID_OPTION` for a flag that is unknown, lacks its value, has one that it does not take, or
 * is given twice though it may not be
 */
export function parseFlags<const F extends Flags>(
  args: readonly string[],
  known: F,
  env: Readonly<Record<string, string | undefined>> = {},
): ParsedArguments<F> {
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
    const value = valueOf(flag, token)
    const before = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined
    if (before !== undefined && flag.several === undefined) throw refused(`${token.rawName} is given twice.`)
    flags[token.name] = before === undefined ? value : `${before},${value}`
  }
  return { flags: { ...readEnvironment(known, env), ...flags } as FlagValues<F>, positionals }
}

/** Reads the flags' variables. An empty variable counts as not set, as containers often leave them so. */
export function readEnvironment<const F extends Flags>(
  known: F,
  env: Readonly<Record<string, string | undefined>>,
): FlagValues<F> {
  const given = Object.entries<Flag>(known).flatMap(([name, { variable }]) => {
    const value = variable === undefined ? undefined : env[variable]
    return value === undefined || value.trim() === '' ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given) as FlagValues<F>
}

interface OptionToken {
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function valueOf(flag: Flag, { rawName, value, inlineValue }: OptionToken): string | boolean {
  if (flag.value === undefined) {
    if (value !== undefined) throw refused(`${rawName} takes no value.`)
    return true
  }
  // The next flag is not this one's value; `--out=-odd` still says what it wants.
  const isNextFlag = inlineValue === false && /^-./.test(value ?? '')
  if (value === undefined || value === '' || isNextFlag)
    throw refused(`${rawName} needs a value: ${rawName} ${flag.value}.`)
  return value
}

/** Suggests a flag by its meaning, then by its spelling; never a list of all, in which nobody finds anything. */
function unknownFlag(written: string, known: Flags): PixpressError {
  const names = Object.keys(known)
  const word = written.replace(/^-+/, '')
  const near = nearest(word, names)
  const hint =
    flagHint(word, names) ??
    (near === undefined ? 'Run it with --help to see what there is.' : `Did you mean '--${near}'?`)
  return refused(`Unknown option '${cut(written)}'. ${hint}`)
}

/** The command line is wrong: the message says what was expected, and the command ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const refused = (message: string): PixpressError => new PixpressError('INVALID_OPTION', message)

/** @throws PixpressError `INVALID_OPTION` unless the text is a whole number of at least `least` */
export function wholeNumber(flag: string, text: string | undefined, least: number = 1): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(number) && number >= least) return number
  throw refused(`--${flag} must be a whole number of at least ${least}; '${text}' was given.`)
}

/** Returns the flags as lines of the help: `  -o, --out DIR  where …`. */
export function describeFlags(flags: Flags): string {
  const rows = Object.entries(flags).map(([name, { value, short, description, variable }]) => ({
    left: `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    right: plainText(description) + (variable === undefined ? '' : ` (${variable})`),
  }))
  const width = Math.max(...rows.map(({ left }) => left.length))
  return rows.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

/** Returns one line of Markdown without the marks of code and the targets of links. */
export function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '')
}
