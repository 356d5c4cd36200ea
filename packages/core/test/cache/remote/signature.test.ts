import { describe, expect, it } from 'vitest'
import { packEntry } from '../../../src/cache/entry.ts'
import { createEntrySigner } from '../../../src/cache/remote/signature.ts'

const KEY = 'a1'.repeat(32)
const OTHER_KEY = 'b2'.repeat(32)
const signer = createEntrySigner('a signing key of more than thirty-two characters')
const entry = { meta: { info: { type: 'image/webp' } }, data: Uint8Array.from({ length: 300 }, (_, index) => index) }
const sealed = signer.seal(KEY, entry)

describe('a signed entry', () => {
  it('comes back as it was', () => {
    expect(signer.open(KEY, sealed)).toEqual(entry)
    expect(createEntrySigner('a signing key of more than thirty-two characters').open(KEY, sealed)).toEqual(entry)
  })

  it('is the same bytes every time, whoever makes it', () => {
    expect(signer.seal(KEY, entry)).toEqual(sealed)
  })

  it('is refused with any one bit changed', () => {
    for (let at = 0; at < sealed.length; at++) {
      const altered = Uint8Array.from(sealed)
      altered[at]! ^= 1 << (at % 8)
      expect(signer.open(KEY, altered), `byte ${at}`).toBeUndefined()
    }
  })

  it('is refused at any other length', () => {
    for (let length = 0; length < sealed.length; length++) {
      expect(signer.open(KEY, sealed.subarray(0, length)), `${length} bytes`).toBeUndefined()
    }
    expect(signer.open(KEY, Buffer.concat([sealed, Buffer.alloc(1)]))).toBeUndefined()
  })

  it('is refused under the key of another one', () => {
    expect(signer.open(OTHER_KEY, sealed)).toBeUndefined()
  })

  it('is refused without a signature', () => {
    expect(signer.open(KEY, packEntry(KEY, entry))).toBeUndefined()
    expect(signer.open(KEY, sealed.subarray(0, sealed.length - packEntry(KEY, entry).length))).toBeUndefined()
  })

  it('is refused with the signature of another signing key', () => {
    const other = createEntrySigner('another signing key, also of more than thirty-two')
    expect(signer.open(KEY, other.seal(KEY, entry))).toBeUndefined()
    expect(other.id).not.toBe(signer.id)
  })
})

describe('the name of a signing key', () => {
  it('tells nothing of the key', () => {
    expect(signer.id).toMatch(/^[0-9a-f]{16}$/)
    expect(Buffer.from(sealed).includes(signer.id)).toBe(false)
  })
})
