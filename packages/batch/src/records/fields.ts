import { PixpressError } from '@pixpress/core'

/** A check of one member: what it has to be, and whether it is. */
export interface Field {
  readonly expected: string
  readonly holds: (value: unknown) => boolean
  /** The member may be left out. */
  readonly optional?: true
}

/** A check of each member of an object, which has no others. */
export type Fields = Readonly<Record<string, Field>>

/** Any text. */
export const TEXT: Field = { expected: 'a text', holds: (value) => typeof value === 'string' }

/** A whole number from 0. */
export const COUNT: Field = {
  expected: 'a whole number of 0 or more',
  holds: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
}

/** `true` or `false`. */
export const FLAG: Field = { expected: 'true or false', holds: (value) => typeof value === 'boolean' }

/** An object whose members are checked where they are used. */
export const OBJECT: Field = { expected: 'an object', holds: isObject }

/** A list whose items are checked where they are used. */
export const LIST: Field = { expected: 'a list', holds: (value) => Array.isArray(value) }

/** Exactly this value. */
export const exactly = (only: string | number): Field => ({
  expected: JSON.stringify(only),
  holds: (value) => value === only,
})

/** The same field, which may be left out. */
export const optional = (field: Field): Field => ({ ...field, optional: true })

/**
 * Parses JSON of the destination and checks it.
 * @param key the object's, for the message, which shows no value
 * @throws PixpressError `IO_FAILED`
 */
export function parseFields<T>(key: string, text: string, fields: Fields): T {
  return asFields(key, parseRecordJson(key, text), fields)
}

/** Parses JSON. @throws PixpressError `IO_FAILED` */
export function parseRecordJson(key: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged(key, 'JSON', error)
  }
}

/** Checks that a value is an object with just these members. @throws PixpressError `IO_FAILED` */
export function asFields<T>(key: string, value: unknown, fields: Fields): T {
  if (!isObject(value)) throw damaged(key, 'an object')
  for (const [name, field] of Object.entries(fields)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (member === undefined && field.optional === true) continue
    if (!field.holds(member)) throw damaged(key, `${field.expected} for '${name}'`)
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name))
  if (unknown !== undefined) throw damaged(key, `no other members than ${Object.keys(fields).join(', ')}`)
  return value as T
}

/** Makes the error for an object that is not what pixpress writes there. */
export function damaged(key: string, expected: string, cause?: unknown): PixpressError {
  const message = `Expected ${expected} in '${key}' of the destination, which is damaged: remove it, and run again.`
  return new PixpressError('IO_FAILED', message, { file: key, cause })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
