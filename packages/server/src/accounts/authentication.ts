import { timingSafeEqual } from 'node:crypto'
import type { Access } from '../http/context.ts'
import { HttpError } from '../http/http-error.ts'
import type { KeyOperation } from '../storage/contract.ts'
import { hashKey, keyId } from './keys.ts'
import type { KeyRing, KnownKey } from './key-ring.ts'

/** The user name of HTTP Basic authentication; the password is the key. */
const USER = 'api'

/**
 * Finds what the key of an `Authorization` header gives. The key is looked up by the first 16 digits of its hash, and
 * the whole hash is compared in constant time: how long that takes tells at most what may be shown of a key.
 * @throws HttpError `Unauthorized`
 */
export async function authenticate(header: string | undefined, ring: KeyRing, now: number): Promise<Access> {
  const key = passwordOf(header)
  if (key === undefined) throw refused('Credentials are invalid.')
  const hash = hashKey(key)
  const known = await ring.find(keyId(hash))
  if (known === undefined || !timingSafeEqual(known.hash, hash)) throw refused('Credentials are invalid.')
  // Who has the whole key may know what became of it.
  if (known.revokedAt !== undefined) throw refused('The key was revoked.')
  if (known.terms.expiresAt !== undefined && known.terms.expiresAt <= now) throw refused('The key has expired.')
  return accessOf(known, ring)
}

/** @throws HttpError `Forbidden` where a key may not be used for this */
export function assertAllowed({ operations }: Access, operation: KeyOperation): void {
  if (operations === undefined || operations.includes(operation)) return
  throw new HttpError('Forbidden', `This key may not be used for '${operation}', only for ${operations.join(', ')}.`)
}

function accessOf({ account, terms }: KnownKey, { defaults }: KeyRing): Access {
  const { monthlyLimit = defaults.monthlyLimit, rate = defaults.rate, operations } = terms
  return {
    account,
    monthlyLimit: monthlyLimit === 'none' ? Number.POSITIVE_INFINITY : monthlyLimit,
    rate: rate === 'none' ? undefined : rate,
    operations,
  }
}

function refused(message: string): HttpError {
  return new HttpError('Unauthorized', message, {
    headers: { 'WWW-Authenticate': 'Basic realm="pixpress", charset="UTF-8"' },
  })
}

function passwordOf(header: string | undefined): string | undefined {
  const encoded = /^basic +([\w+/=-]+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  return colon !== -1 && credentials.slice(0, colon) === USER ? credentials.slice(colon + 1) : undefined
}
