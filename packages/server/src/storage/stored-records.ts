import type { OutputRecord } from './contract.ts'

/**
 * The storage holds something that no server writes there: a damaged record, or one of another program. The message is
 * for the log, and shows no value.
 */
export class DamagedRecordError extends Error {
  override readonly name = 'DamagedRecordError'
}

/** A check of one member: what it has to be, and whether it is. */
export interface Check {
  readonly expected: string
  /** The member may be absent. */
  readonly optional?: true
  readonly holds: (value: unknown) => boolean
}

/** A check of each member of an object, which has no others. */
export interface Shape {
  readonly [member: string]: Check | Shape
}

/** A random name of 32 hexadecimal digits. */
const ID: Check = {
  expected: '32 hexadecimal digits',
  holds: (value) => typeof value === 'string' && /^[\da-f]{32}$/.test(value),
}

/** A whole number from 0, which sums of bytes and times stay right with. */
export const COUNT: Check = {
  expected: 'a whole number of 0 or more',
  holds: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
}

/** How EXIF rotates an image, where it does (Exif 2.32, section 4.6.4). */
const ORIENTATION: Check = {
  expected: 'a whole number from 2 to 8',
  optional: true,
  holds: (value) => Number.isInteger(value) && (value as number) >= 2 && (value as number) <= 8,
}

/** A MIME type of images. */
const TYPE: Check = {
  expected: 'a type of image',
  holds: (value) => typeof value === 'string' && /^image\/[a-z+]{1,20}$/.test(value),
}

/** Any text. */
export const TEXT: Check = { expected: 'a text', holds: (value) => typeof value === 'string' }

const RECORD: Shape = {
  id: ID,
  account: TEXT,
  createdAt: COUNT,
  expiresAt: COUNT,
  input: { type: TYPE, size: COUNT },
  // An SVG may have no pixels of its own.
  output: { type: TYPE, size: COUNT, width: COUNT, height: COUNT, orientation: ORIENTATION },
}

/** Parses the record of an output. @param id under which it was kept @throws DamagedRecordError */
export function parseOutputRecord(text: string, id: string): OutputRecord {
  const what = 'the record of an output'
  const record = asShape<OutputRecord>(what, parseStoredJson(what, text), RECORD)
  if (record.id !== id) throw damaged(`'id' of ${what}`, 'the one that it is kept under')
  return record
}

/** Parses a count; nothing stands for 0. @throws DamagedRecordError */
export function parseCount(value: unknown): number {
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : (value ?? 0)
  if (!COUNT.holds(count)) throw damaged('a count', COUNT.expected)
  return count as number
}

/**
 * Checks that a value is an object with these members and no others.
 * @param what how the message calls it
 * @throws DamagedRecordError
 */
export function asShape<T>(what: string, value: unknown, shape: Shape): T {
  if (!isObject(value)) throw damaged(what, 'an object')
  for (const [member, check] of Object.entries(shape)) {
    const each: unknown = Object.hasOwn(value, member) ? value[member] : undefined
    if (each === undefined && isCheck(check) && check.optional === true) continue
    if (!isCheck(check)) asShape(`'${member}' of ${what}`, each, check)
    else if (!check.holds(each)) throw damaged(`'${member}' of ${what}`, check.expected)
  }
  if (Object.keys(value).some((member) => !Object.hasOwn(shape, member)))
    throw damaged(what, `no other members than ${Object.keys(shape).join(', ')}`)
  return value as T
}

function isCheck(check: Check | Shape): check is Check {
  return typeof check.holds === 'function'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON. @param what how the message calls it @throws DamagedRecordError */
export function parseStoredJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DamagedRecordError(`Expected ${what} of JSON in the storage.`, { cause: error })
  }
}

function damaged(what: string, expected: string): DamagedRecordError {
  return new DamagedRecordError(`Expected ${expected} for ${what} in the storage.`)
}
