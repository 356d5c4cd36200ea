import { createHash, randomBytes } from 'node:crypto'
import { PixpressError } from '@pixpress/core'
import type { KeyTerms } from '../storage/contract.ts'

/** A key by its hash: the server never holds the key itself longer than it takes to read the settings. */
export interface AccountKey {
  /** The account whose compressions are counted. Several keys of one account let it change its key without a gap. */
  readonly account: string
  /** SHA-256 of the key, 32 bytes. */
  readonly hash: Buffer
  /** Its own terms. Default: those of the server. */
  readonly terms?: KeyTerms | undefined
}

/** The form of an account's name. */
export const ACCOUNT_NAME: RegExp = /^[\w.-]{1,64}$/

const HASHED = /^sha256:([\da-f]{64})$/i

/** A name, `=`, and what is left; `=` alone is the padding of a Base64 key and no separator. */
const NAMED = /^([\w.-]{1,64})=(?!=*$)(.+)$/

/**
 * Parses one key as it stands in the settings: the key itself or `sha256:<64 hexadecimal digits>`, after `<account>=`
 * where the account has a name. Without one, the account is named after the hash, so plain and hashed form mean the
 * same account.
 * @param what how messages call it
 * @throws PixpressError `INVALID_OPTION`, without the key in its message
 */
export function parseKey(text: string, what: string = 'a key'): AccountKey {
  const [, name, rest = text] = NAMED.exec(text) ?? []
  if (rest.startsWith('sha256:') && !HASHED.test(rest)) {
    throw new PixpressError('INVALID_OPTION', `Expected 64 hexadecimal digits after 'sha256:' in ${what}.`)
  }
  if (!/^[\x21-\x7e]+$/.test(rest)) {
    throw new PixpressError('INVALID_OPTION', `Expected printable ASCII without spaces for ${what}.`)
  }
  const hex = HASHED.exec(rest)?.[1]
  const hash = hex === undefined ? hashKey(rest) : Buffer.from(hex, 'hex')
  return { account: name ?? `key-${keyId(hash)}`, hash }
}

/** Parses the keys of a list separated by commas or white space. @throws PixpressError `INVALID_OPTION` */
export function parseKeys(option: string, text: string): AccountKey[] {
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((key) => parseKey(key, `a key of '${option}'`))
}

/**
 * Hashes a key by SHA-256. A slow hash protects what people choose, which can be guessed; a key of 192 random bits
 * cannot, and every request needs this hash. A secret of the server in it would protect nothing more, and losing it
 * would lose all keys; without one, `sha256sum` makes the same hash.
 */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Returns the part of a hash by which a key is found: 16 hexadecimal digits. It may be shown. */
export function keyId(hash: Buffer): string {
  return hash.toString('hex', 0, 8)
}

/** Makes a key of 32 characters, which hold 192 random bits. */
export function makeKey(): string {
  return randomBytes(24).toString('base64url')
}
