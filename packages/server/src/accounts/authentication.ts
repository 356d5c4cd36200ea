import { timingSafeEqual } from 'node:crypto'
import type { AccountKey } from './keys.ts'
import { hashKey } from './keys.ts'

/** The user name of HTTP Basic authentication; the password is the key. */
const USER = 'api'

/**
 * Finds the account of an `Authorization` header, or `undefined` when its credentials are wrong. Hashes are compared,
 * each one, in constant time: how long it takes says nothing about the keys.
 */
export function authenticate(header: string | undefined, keys: readonly AccountKey[]): string | undefined {
  const key = passwordOf(header)
  if (key === undefined) return undefined
  const hash = hashKey(key)
  let account: string | undefined
  for (const known of keys) {
    if (timingSafeEqual(known.hash, hash)) account = known.account
  }
  return account
}

function passwordOf(header: string | undefined): string | undefined {
  const encoded = /^basic +([\w+/=-]+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  return colon !== -1 && credentials.slice(0, colon) === USER ? credentials.slice(colon + 1) : undefined
}
