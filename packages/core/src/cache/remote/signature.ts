import { createHmac, timingSafeEqual } from 'node:crypto'
import { packEntry, unpackEntry } from '../entry.ts'
import type { CacheEntry } from '../store.ts'

/*
 * An entry as it lies in a remote cache: a magic line, a line with its signature, the entry as it lies in a folder.
 *
 * pixpress-signed-1\n
 * <64 hex>\n
 * pixpress-cache-1\n…
 *
 * The signature is HMAC-SHA256 over the magic line, the key of the entry and all that follows. Whoever can write to the
 * remote but has no signing key can neither make an entry, nor alter one, nor give one out for another.
 */
const MAGIC = 'pixpress-signed-1\n'
const SIGNATURE_AT = MAGIC.length
const ENTRY_AT = SIGNATURE_AT + 64 + 1

/** Makes and checks signatures. It does not show its secret. */
export interface EntrySigner {
  /** 16 hexadecimal digits that tell this signing key from others, for the names of entries. */
  readonly id: string
  /** @throws {PixpressError} `INTERNAL` when the key is malformed */
  seal(key: string, entry: CacheEntry): Uint8Array
  /**
   * Returns the entry, or `undefined` unless the bytes are that of this key, whole and signed with this signing key.
   */
  open(key: string, sealed: Uint8Array): CacheEntry | undefined
}

/** Creates a signer of entries. */
export function createEntrySigner(signingKey: string): EntrySigner {
  // The secret has two uses, and neither tells anything about the other.
  const secret = createHmac('sha256', signingKey).update('pixpress: entries').digest()
  const id = createHmac('sha256', signingKey).update('pixpress: names').digest('hex').slice(0, 16)

  function signatureOf(key: string, packed: Uint8Array): Buffer {
    return createHmac('sha256', secret).update(`${MAGIC}${key}\n`).update(packed).digest()
  }

  return {
    id,
    seal(key, entry) {
      const packed = packEntry(key, entry)
      return Buffer.concat([Buffer.from(`${MAGIC}${signatureOf(key, packed).toString('hex')}\n`), packed])
    },
    open(key, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes.length < ENTRY_AT || bytes.toString('latin1', 0, SIGNATURE_AT) !== MAGIC) return undefined
      const packed = sealed.subarray(ENTRY_AT)
      const expected = Buffer.from(`${signatureOf(key, packed).toString('hex')}\n`)
      if (!timingSafeEqual(bytes.subarray(SIGNATURE_AT, ENTRY_AT), expected)) return undefined
      return unpackEntry(key, packed)
    },
  }
}
