import { INPUT_TYPES } from '@pixpress/core/internal'
import type { InputType } from '@pixpress/core'
import type { Why } from '@pixpress/core/report'
import type { Outcome } from './images.ts'
import { parseWhyToken, whyToken } from './why-token.ts'

/*
 * The text after a key in the index of outcomes:
 *
 *   <state> <bytes> <type> <score, or -> <reason, by why-token.ts> <first two digits of the key of an earlier note>
 *   <state> <bytes> <type> <score, or -> <reason> <type of the source> <digest of the result> <the same two digits>
 *   6 <reason> <first two digits of the key of an entry>
 *
 * States of results in their source's own type: 0, something is left to do; 1, nothing, as the image is a result of an
 * earlier run; 2, nothing, as the engine itself finds, which stays true. States of results of another type, which
 * belong into another file: 3, that file has to hold the result; 4, nothing is left to do whatever it holds, as the
 * image is a result of an earlier run; 5, nothing is left to do where it holds the result, and nothing is known of
 * other contents. 6 is no outcome: an entry is as the lock says.
 */

/** A result of another type than its source's. */
export interface ConvertedOutcome {
  readonly outcome: Omit<Outcome, 'isDone'>
  /** SHA-256 of the result's bytes, in hexadecimal digits. */
  readonly result: string
  /** True if the image is done where its file of that type has other contents; `undefined` if that is unknown. */
  readonly isDoneBesides: boolean | undefined
}

/**
 * Writes an outcome as the rest of a line.
 * @param earlier the first digits of the key under which the cache would say that the source is a lossy result itself
 */
export function indexLineOf({ isDone, bytes, type, score, why }: Outcome, earlier: string, isLasting: boolean): string {
  return ` ${isLasting ? 2 : isDone ? 1 : 0} ${bytes} ${type} ${score ?? '-'} ${whyToken(why)} ${earlier}`
}

/** @param earlier as of `outcomeLine` */
export function convertedLine({ outcome, result, isDoneBesides }: ConvertedOutcome, earlier: string): string {
  const { bytes, type, score, inputType, why } = outcome
  const state = isDoneBesides === undefined ? 5 : isDoneBesides ? 4 : 3
  return ` ${state} ${bytes} ${type} ${score ?? '-'} ${whyToken(why)} ${inputType} ${result} ${earlier}`
}

/** Writes the rest of a line about an entry that is as the lock says. */
export const lockedLine = (why: Why | undefined, bucket: string): string => ` 6 ${whyToken(why)} ${bucket}`

/** @returns `undefined` for what is no line of an entry that is as the lock says */
export function parseLocked(line: string): { readonly why?: Why } | undefined {
  const why = isLockedLine(line) ? parseWhyToken(line.slice(LOCKED_WHY_AT, -BUCKET_LENGTH)) : null
  if (why === null) return undefined
  return why === undefined ? {} : { why }
}

/** Returns whether a line stays true whatever the cache learns. */
export const isLastingLine = (line: string): boolean => line.startsWith(' 2 ')

/** Returns whether a line is about an entry that is as the lock says. */
export const isLockedLine = (line: string): boolean => line.startsWith(' 6 ')

/** Returns whether a line would be replaced by one that knows less, if it is not known to hold otherwise. */
export const knowsMore = (line: string, other: string): boolean => !line.startsWith(' 5 ') && other.startsWith(' 5 ')

/** The digits at a line's end. */
export const bucketOfLine = (line: string): string => line.slice(-2)

/** @returns `undefined` for what is no outcome in the source's own type */
export function parseOutcome(line: string): Outcome | undefined {
  // Cut by hand, as this is done for every image: splitting took longer than hashing it.
  const bytesEnd = line.indexOf(' ', BYTES_AT)
  const typeEnd = line.indexOf(' ', bytesEnd + 1)
  const scoreEnd = line.indexOf(' ', typeEnd + 1)
  const bytes = Number(line.slice(BYTES_AT, bytesEnd))
  const type = TYPES.get(line.slice(bytesEnd + 1, typeEnd))
  const isDone = !line.startsWith(' 0 ')
  const whyEnd = line.length - BUCKET_LENGTH
  if (type === undefined || !Number.isSafeInteger(bytes) || line[whyEnd] !== ' ' || scoreEnd >= whyEnd) return undefined
  if (!STATES.includes(line.slice(0, BYTES_AT))) return undefined
  const why = parseWhyToken(line.slice(scoreEnd + 1, whyEnd))
  if (why === null) return undefined
  const outcome: Outcome = { bytes, type, inputType: type, isDone, ...(why !== undefined && { why }) }
  if (line.startsWith('- ', typeEnd + 1)) return outcome
  const score = Number(line.slice(typeEnd + 1, scoreEnd))
  return Number.isFinite(score) ? { ...outcome, score } : undefined
}

/** @returns `undefined` for what is no outcome of another type */
export function parseConverted(line: string): ConvertedOutcome | undefined {
  const [, state, bytes, type, score, reason = '-', inputType, result] = CONVERTED.exec(line) ?? []
  const types = { type: TYPES.get(type ?? ''), inputType: TYPES.get(inputType ?? '') }
  if (result === undefined || types.type === undefined || types.inputType === undefined) return undefined
  if (!Number.isSafeInteger(Number(bytes)) || (score !== '-' && !Number.isFinite(Number(score)))) return undefined
  const why = parseWhyToken(reason)
  if (why === null) return undefined
  const outcome = { bytes: Number(bytes), type: types.type, inputType: types.inputType, ...(why && { why }) }
  return {
    outcome: score === '-' ? outcome : { ...outcome, score: Number(score) },
    result,
    isDoneBesides: state === '5' ? undefined : state === '4',
  }
}

/** Lines of earlier versions have no reason. */
const CONVERTED = /^ ([345]) (\d+) (\S+) (\S+)(?: (\S+))? (\S+) ([0-9a-f]{64}) [0-9a-f]{2}$/

/** Where the bytes stand. */
const BYTES_AT = 3

/** Where the reason of an entry that is as the lock says stands. */
const LOCKED_WHY_AT = 3

/** Length of the digits at a line's end, with the space before them. */
const BUCKET_LENGTH = 3

const TYPES: ReadonlyMap<string, InputType> = new Map(INPUT_TYPES.map((type) => [type, type]))

const STATES = [' 0 ', ' 1 ', ' 2 ']
