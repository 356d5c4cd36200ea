import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { assertAllowed, authenticate } from '../../src/accounts/authentication.ts'
import { createKeyRing } from '../../src/accounts/key-ring.ts'
import type { GivenKeys } from '../../src/accounts/key-ring.ts'
import { hashKey, parseKey } from '../../src/index.ts'
import type { KeyTerms, StoredKey } from '../../src/index.ts'
import { basic } from '../support/server.ts'

const DEFAULTS = { monthlyLimit: 10, rate: { interval: 1, burst: 2 } }
const NOW = 1000

function stored(key: string, more: Partial<StoredKey> = {}): StoredKey {
  const hash = hashKey(key).toString('hex')
  return { id: hash.slice(0, 16), hash, account: 'stored', prefix: key.slice(0, 6), createdAt: 0, ...more }
}

/** A ring whose storage has some keys, with the ids that were looked up there. */
function ringOf(keys: readonly StoredKey[], given: Partial<GivenKeys> = {}) {
  const asked: string[] = []
  const find = async (id: string): Promise<StoredKey | undefined> => {
    asked.push(id)
    return keys.find((key) => key.id === id)
  }
  return { asked, ring: createKeyRing({ find }, { keys: [], defaults: DEFAULTS, ...given }) }
}

describe('authenticate', () => {
  it('finds a key that was given without the storage, and another one by one look into it', async () => {
    const { ring, asked } = ringOf([stored('in-the-storage')], { keys: [parseKey('given=on-the-command-line')] })
    expect(await authenticate(basic('on-the-command-line'), ring, NOW)).toMatchObject({ account: 'given' })
    expect(asked).toEqual([])
    expect(await authenticate(basic('in-the-storage'), ring, NOW)).toMatchObject({ account: 'stored' })
    expect(asked).toHaveLength(1)
  })

  it('compares the whole hash, and not its id alone', async () => {
    const { id } = stored('right')
    const { ring } = ringOf([{ ...stored('wrong'), id }])
    await expect(authenticate(basic('right'), ring, NOW)).rejects.toThrow('Credentials are invalid.')
  })

  it('refuses a key that was revoked or has expired, and says so to who has it', async () => {
    const { ring } = ringOf([
      stored('revoked', { revokedAt: 5 }),
      stored('expired', { expiresAt: NOW }),
      stored('young', { expiresAt: NOW + 1 }),
    ])
    const refusal = { error: 'Unauthorized', status: 401, headers: { 'WWW-Authenticate': expect.any(String) } }
    await expect(authenticate(basic('revoked'), ring, NOW)).rejects.toMatchObject(refusal)
    await expect(authenticate(basic('revoked'), ring, NOW)).rejects.toThrow(failure('HttpError', 'key was revoked'))
    await expect(authenticate(basic('expired'), ring, NOW)).rejects.toThrow(failure('HttpError', 'key has expired'))
    expect(await authenticate(basic('young'), ring, NOW)).toMatchObject({ account: 'stored' })
  })

  it('gives the terms of the key, else the defaults of the moment', async () => {
    const terms: KeyTerms = { monthlyLimit: 'none', rate: { interval: 5, burst: 1 }, operations: ['shrink'] }
    const { ring } = ringOf([stored('own', terms), stored('none', { rate: 'none', monthlyLimit: 3 }), stored('plain')])
    const access = async (key: string) => authenticate(basic(key), ring, NOW)
    expect(await access('own')).toEqual({ ...terms, account: 'stored', monthlyLimit: Infinity })
    expect(await access('none')).toMatchObject({ monthlyLimit: 3, rate: undefined, operations: undefined })
    expect(await access('plain')).toMatchObject(DEFAULTS)
    ring.replace({ keys: [parseKey('late=late-key')], defaults: { monthlyLimit: 99, rate: undefined } })
    expect(await access('plain')).toMatchObject({ monthlyLimit: 99, rate: undefined })
    expect(await access('late-key')).toMatchObject({ account: 'late' })
  })
})

describe('assertAllowed', () => {
  it('refuses what is not among the operations of a key', () => {
    const access = { account: 'a', monthlyLimit: 1, rate: undefined, operations: ['shrink', 'resize'] }
    expect(() => assertAllowed(access, 'resize')).not.toThrow()
    expect(() => assertAllowed({ ...access, operations: undefined }, 'store')).not.toThrow()
    expect(() => assertAllowed(access, 'store')).toThrow(failure('HttpError', "'store'", 'shrink, resize'))
  })
})
