import type { Sharp } from 'sharp'
import type { Flag } from '../options/flags.ts'
import { FLAG, isWithin } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'

/** 8-bit pixels of sRGB, interleaved, alpha not premultiplied. */
export interface AdjustablePixels {
  readonly width: number
  readonly height: number
  readonly data: Buffer
  readonly channels: 3 | 4
}

/** Everything that is known of one adjustment. One file each, and one line in adjustments.ts. */
export interface Adjustment<Given, Resolved> {
  /** Its place among the members of a cache key. It never changes; a new adjustment gets the next number. */
  readonly place: number
  readonly parser: Parser<Given>
  /** Its values in a query, in Markdown. */
  readonly values: string
  /** Tells what it does, for the help and the documentation. */
  readonly does: string
  /** The flag of the command; its placeholder stands for the value in the help, and a switch has none. */
  readonly flag: Flag
  /**
   * Parses the option that a text says; an empty one for a word without a value. @throws PixpressError `INVALID_OPTION`
   */
  read(text: string, option: string): Given
  /** Returns the one form of values that mean the same; `undefined` where nothing changes. */
  resolved(given: Given): Resolved | undefined
  readonly apply: Apply<Resolved>
}

/** How an adjustment is applied: by sharp, which has an order of its own, or on the pixels before or after that. */
export type Apply<Resolved> =
  | { sharp(image: Sharp, value: Resolved, others: { readonly background?: string }): void }
  | { before(pixels: AdjustablePixels, value: Resolved): Promise<AdjustablePixels> }
  | { after(pixels: AdjustablePixels, value: Resolved): Promise<AdjustablePixels> }

type Described<Given> = Pick<Adjustment<Given, never>, 'parser' | 'values' | 'does' | 'flag' | 'read'>

/** Describes an adjustment that is on or off. */
export function switched(does: string): Described<boolean> & { resolved(given: boolean): true | undefined } {
  return {
    parser: FLAG,
    values: 'nothing, `true` or `false`',
    does,
    flag: { description: does },
    read: readSwitch,
    resolved: (given) => given || undefined,
  }
}

/** Describes an adjustment by a number. @param value the placeholder of its flag */
export function numeric(
  parser: Parser<number>,
  value: string,
  { values, does }: { readonly values: string; readonly does: string },
): Described<number> {
  return {
    parser,
    values,
    does,
    flag: { value, description: does },
    read: (text, option) => parser.parse(isNumber(text) ? Number(text) : text, option),
  }
}

/** Describes an adjustment by a number, or by `true` for a mild one. @param value the placeholder of its flag */
export function strength(
  parser: Parser<number>,
  value: string,
  { values, does }: { readonly values: string; readonly does: string },
): Described<boolean | number> {
  const either: Parser<boolean | number> = {
    schema: { anyOf: [FLAG.schema, parser.schema] },
    parse: (given, option) => (typeof given === 'boolean' ? given : parser.parse(given, option)),
  }
  return {
    parser: either,
    values,
    does,
    flag: { value, description: does },
    read: (text, option) =>
      text === 'mild' ? true : isNumber(text) ? parser.parse(Number(text), option) : readSwitch(text, option),
  }
}

/** Brings degrees into a range from 0 to 360. */
export const turned = (degrees: number): number => ((degrees % 360) + 360) % 360

function readSwitch(text: string, option: string): boolean {
  return FLAG.parse(text === '' || text === 'true' ? true : text === 'false' ? false : text, option)
}

const isNumber = (text: string): boolean => isWithin(Number(text), -Infinity, Infinity) && text.trim() !== ''
