import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import type { StoredKey } from '../../src/storage/key-store.ts'
import { parseKeyFields, parseKeyText } from '../../src/storage/stored-key.ts'
import { DamagedRecordError } from '../../src/storage/stored-records.ts'

const ID = '0123456789abcdef'
const LEAST: StoredKey = { id: ID, hash: 'ab'.repeat(32), account: 'shop', prefix: 'abcd', createdAt: 1000 }
const WHOLE: StoredKey = {
  ...LEAST,
  monthlyLimit: 500,
  rate: { interval: 10.5, burst: 20 },
  expiresAt: 2000,
  operations: ['shrink', 'convert'],
  revokedAt: 1500,
}

const fieldsOf = (key: object): [string, string][] =>
  Object.entries(key).map(([name, value]) => [name, JSON.stringify(value)])

describe('a stored key', () => {
  it.each([
    ['the members that each has', LEAST],
    ['all members', WHOLE],
    ['no limits', { ...LEAST, monthlyLimit: 'none', rate: 'none' } as const],
  ])('is read with %s, as a text and as fields', (_, key) => {
    expect(parseKeyText(JSON.stringify(key), ID)).toEqual(key)
    expect(parseKeyFields(fieldsOf(key), ID)).toEqual(key)
  })

  it.each([
    ['another id', { ...LEAST, id: 'fedcba9876543210' }],
    ['a short hash', { ...LEAST, hash: 'ab' }],
    ['no account', { ...LEAST, account: undefined }],
    ['a limit below zero', { ...WHOLE, monthlyLimit: -1 }],
    ['a rate without a pace', { ...WHOLE, rate: { interval: 0, burst: 1 } }],
    ['a rate of other members', { ...WHOLE, rate: { interval: 1, burst: 1, more: 1 } }],
    ['a time of revocation that is none', { ...WHOLE, revokedAt: 'yesterday' }],
    ['an operation that is none', { ...WHOLE, operations: ['shrink', 'everything'] }],
    ['operations that are no list', { ...WHOLE, operations: 'shrink' }],
    ['a member that no server writes', { ...WHOLE, revoked: 1500 }],
    ['nothing at all', {}],
  ])('is refused with %s', (_, key) => {
    expect(() => parseKeyText(JSON.stringify(key), ID)).toThrow(DamagedRecordError)
    expect(() => parseKeyFields(fieldsOf(JSON.parse(JSON.stringify(key)) as object), ID)).toThrow(DamagedRecordError)
  })

  it('is refused where it is no JSON', () => {
    expect(() => parseKeyText('{', ID)).toThrow(DamagedRecordError)
    expect(() => parseKeyFields([...fieldsOf(LEAST), ['expiresAt', 'soon']], ID)).toThrow(DamagedRecordError)
  })

  it('says what was expected, and shows no value', () => {
    const secret = JSON.stringify({ ...LEAST, hash: 'not a hash' })
    expect(() => parseKeyText(secret, ID)).toThrow(failure('DamagedRecordError', '64 hexadecimal', "'hash'"))
  })
})
