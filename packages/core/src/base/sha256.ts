import crypto from 'node:crypto'

/** Bytes up to which pieces are joined and hashed at once, which is faster than an object to hash them one by one. */
const AT_ONCE = 64 * 1024

/**
 * Computes the SHA-256 of all pieces, one after the other, in hexadecimal digits. `crypto.hash` (Node 20.12) is missing
 * in some other runtimes.
 */
export function sha256(...pieces: readonly Uint8Array[]): string {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  if (typeof crypto.hash === 'function' && (pieces.length === 1 || size <= AT_ONCE)) {
    return crypto.hash('sha256', pieces.length === 1 ? pieces[0]! : joined(pieces), 'hex')
  }
  const hash = crypto.createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

/** Where pieces are joined: new memory for each of a thousand images would be given back by as much work again. */
let scratch: Buffer | undefined

/** Returns the pieces as one, until the next call. */
function joined(pieces: readonly Uint8Array[]): Buffer {
  scratch ??= Buffer.allocUnsafeSlow(AT_ONCE)
  let end = 0
  for (const piece of pieces) {
    scratch.set(piece, end)
    end += piece.length
  }
  return scratch.subarray(0, end)
}
