import { createHmac, timingSafeEqual } from 'node:crypto'

/** This text precedes every signed path. `@pixpress/client/delivery` has the same. */
const PURPOSE = 'pixpress-delivery-1\n'

/** Characters of a signature: 32 bytes in the Base64 of URLs. */
const LENGTH = 43

/** Tells whether a signature is that of a text, by one of the keys. */
export type VerifySignature = (signature: string, text: string) => boolean

/**
 * Creates the check of signatures. With several keys each may have signed, so that one can be replaced without a gap:
 * give both, sign with the new one, take the old one away when no page has its signatures any more.
 *
 * Signatures are compared as texts: two texts of Base64 may stand for the same bytes, and only one of them is right.
 */
export function createVerifier(keys: readonly string[]): VerifySignature {
  return (signature, text) => {
    const given = Buffer.from(signature)
    if (given.length !== LENGTH) return false
    let isRight = false
    // All keys are tried, so that the time does not tell which one it was.
    for (const key of keys) {
      const right = createHmac('sha256', key).update(PURPOSE).update(text).digest('base64url')
      if (timingSafeEqual(given, Buffer.from(right))) isRight = true
    }
    return isRight
  }
}
