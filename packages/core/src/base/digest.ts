import { sourceWork } from './counters.ts'
import { sha256 } from './sha256.ts'

/** Digests by the object that holds the bytes: ten variants of one picture hash it once. */
const known = new WeakMap<Uint8Array, string>()

/**
 * Returns the SHA-256 of a source, in hexadecimal digits. It is computed once for each object, so the bytes must not
 * change afterwards.
 */
export function digestOf(source: Uint8Array): string {
  const before = known.get(source)
  if (before !== undefined) return before
  sourceWork.digests++
  const digest = sha256(source)
  known.set(source, digest)
  return digest
}
