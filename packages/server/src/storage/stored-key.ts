import { KEY_OPERATIONS } from './key-store.ts'
import type { StoredKey } from './key-store.ts'
import { asShape, COUNT, DamagedRecordError, parseStoredJson, TEXT } from './stored-records.ts'
import type { Check, Shape } from './stored-records.ts'

const digits = (length: number): Check => ({
  expected: `${length} hexadecimal digits`,
  holds: (value) => typeof value === 'string' && value.length === length && /^[\da-f]*$/.test(value),
})

const KEY: Shape = { id: digits(16), hash: digits(64), account: TEXT, prefix: TEXT, createdAt: COUNT }

/** Members that a key need not have. */
const OPTIONAL: Readonly<Record<string, Check>> = {
  monthlyLimit: { expected: "a whole number or 'none'", holds: (value) => value === 'none' || COUNT.holds(value) },
  rate: { expected: "an interval and a burst, or 'none'", holds: (value) => value === 'none' || isRate(value) },
  expiresAt: COUNT,
  operations: { expected: `some of ${KEY_OPERATIONS.join(', ')}`, holds: areOperations },
  revokedAt: COUNT,
}

function isRate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { interval, burst, ...others } = value as Readonly<Record<string, unknown>>
  const isPace = typeof interval === 'number' && Number.isFinite(interval) && interval > 0
  return isPace && typeof burst === 'number' && burst >= 1 && Object.keys(others).length === 0
}

function areOperations(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => (KEY_OPERATIONS as readonly unknown[]).includes(each))
}

/**
 * Parses a key that is kept as one text. A damaged one opens nothing, as the term that was lost may be the one that
 * forbids it.
 * @param id under which it was kept; `undefined` for one of a list
 * @throws DamagedRecordError
 */
export function parseKeyText(text: string, id?: string): StoredKey {
  return asKey(parseStoredJson('a key', text), id)
}

/** Parses a key that is kept as texts of its members. @throws DamagedRecordError */
export function parseKeyFields(fields: readonly (readonly [string, string])[], id?: string): StoredKey {
  return asKey(Object.fromEntries(fields.map(([name, text]) => [name, parseStoredJson('a key', text)])), id)
}

function asKey(value: unknown, id: string | undefined): StoredKey {
  const members = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const optional = Object.entries(OPTIONAL).filter(([name]) => members.includes(name))
  const key = asShape<StoredKey>('a key', value, { ...KEY, ...Object.fromEntries(optional) })
  if (id === undefined || key.id === id) return key
  throw new DamagedRecordError('Expected the name that it is kept under for a key in the storage.')
}
