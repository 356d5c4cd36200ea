import { sha256 } from '../base/sha256.ts'
import { assertCacheKey } from './store.ts'
import type { CacheEntry } from './store.ts'

/*
 * One entry as bytes: a magic line, one line of JSON, the payload.
 *
 *   pixpress-cache-1\n
 *   {"sha256":"<64 hex>","key":"<64 hex>","size":<bytes of payload>,"meta":{…}}\n
 *   <payload>
 *
 * The digest is of every byte behind it (from `"key"` to the end of the file), and all that stands before it is fixed,
 * so no byte can change unnoticed and one hash over one stretch of memory checks it all.
 */
const MAGIC = 'pixpress-cache-1\n'
const BEFORE_DIGEST = `${MAGIC}{"sha256":"`
const AFTER_DIGEST = '",'
const DIGEST_AT = BEFORE_DIGEST.length
const CHECKED_FROM = DIGEST_AT + 64 + AFTER_DIGEST.length
const NEWLINE = 0x0a

interface Header {
  readonly key: unknown
  readonly size: unknown
  readonly meta: unknown
}

/**
 * Returns the bytes of an entry, bound to its key.
 * @throws {PixpressError} `INTERNAL` when the key is malformed
 */
export function packEntry(key: string, entry: CacheEntry): Uint8Array {
  assertCacheKey(key)
  const header = Buffer.from(`"key":"${key}","size":${entry.data.length},"meta":${JSON.stringify(entry.meta)}}\n`)
  const packed = Buffer.allocUnsafeSlow(CHECKED_FROM + header.length + entry.data.length)
  packed.set(header, CHECKED_FROM)
  packed.set(entry.data, CHECKED_FROM + header.length)
  packed.write(checkedStart(packed), 'latin1')
  return packed
}

/**
 * Returns the entry packed in `bytes`, or `undefined` when they are no whole and unaltered entry of this key. `data` is
 * a view of `bytes`, not a copy.
 */
export function unpackEntry(key: string, bytes: Uint8Array): CacheEntry | undefined {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (packed.length < CHECKED_FROM || packed.toString('latin1', 0, CHECKED_FROM) !== checkedStart(packed)) {
    return undefined
  }
  const headerEnd = packed.indexOf(NEWLINE, CHECKED_FROM)
  if (headerEnd === -1) return undefined
  const header = parseHeader(`{${packed.toString('utf8', CHECKED_FROM, headerEnd)}`)
  const data = bytes.subarray(headerEnd + 1)
  if (header?.key !== key || header.size !== data.length || !isRecord(header.meta)) return undefined
  return { meta: header.meta, data: new Uint8Array(data.buffer, data.byteOffset, data.length) }
}

/** Returns the start that a packed entry with these checked bytes must have. */
function checkedStart(packed: Buffer): string {
  return `${BEFORE_DIGEST}${sha256(packed.subarray(CHECKED_FROM))}${AFTER_DIGEST}`
}

function parseHeader(json: string): Header | undefined {
  try {
    return JSON.parse(json) as Header
  } catch {
    // The digest is right but the header is not JSON: written by something other than `packEntry`.
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
