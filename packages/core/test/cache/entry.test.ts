import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { packEntry, unpackEntry } from '../../src/cache/entry.ts'

const KEY = '0123456789abcdef'.repeat(4)
const ENTRY = { meta: { type: 'image/webp', width: 3 }, data: new Uint8Array([0, 10, 255, 123, 34]) }

/** Returns a packed entry with the right digest of the bytes that follow it. */
function sealed(rest: string): Uint8Array {
  return Buffer.from(`pixpress-cache-1\n{"sha256":"${createHash('sha256').update(rest).digest('hex')}",${rest}`)
}

describe('packEntry', () => {
  it('writes a magic line, a line of JSON and the payload', () => {
    const [magic, header, payload] = Buffer.from(packEntry(KEY, ENTRY)).toString('latin1').split('\n', 3)
    expect(magic).toBe('pixpress-cache-1')
    expect(JSON.parse(header!)).toEqual({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      key: KEY,
      size: 5,
      meta: ENTRY.meta,
    })
    expect(payload).toBe('\0')
  })

  it('digests every byte from the key to the end', () => {
    const packed = Buffer.from(packEntry(KEY, ENTRY))
    const digest = createHash('sha256')
      .update(packed.subarray(packed.indexOf('"key"')))
      .digest('hex')
    expect(packed.toString('latin1')).toContain(`{"sha256":"${digest}",`)
  })

  it('gives the same bytes for the same entry', () => {
    expect(packEntry(KEY, ENTRY)).toEqual(packEntry(KEY, structuredClone(ENTRY)))
  })

  it('refuses a malformed key', () => {
    expect(() => packEntry('key', ENTRY)).toThrow(expect.objectContaining({ code: 'INTERNAL' }))
  })
})

describe('unpackEntry', () => {
  const packed = packEntry(KEY, ENTRY)

  it('gives back what was packed', () => {
    expect(unpackEntry(KEY, packed)).toEqual(ENTRY)
  })

  it('reads from the middle of a larger buffer', () => {
    const larger = new Uint8Array(packed.length + 20)
    larger.set(packed, 7)
    expect(unpackEntry(KEY, larger.subarray(7, 7 + packed.length))).toEqual(ENTRY)
  })

  it('misses under another key', () => {
    expect(unpackEntry(KEY.replace('0', '1'), packed)).toBeUndefined()
  })

  it('misses when any one bit is flipped', () => {
    for (let bit = 0; bit < packed.length * 8; bit++) {
      // A slice of a Buffer would share its memory.
      const flipped = Uint8Array.from(packed)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      expect(unpackEntry(KEY, flipped), `bit ${bit}`).toBeUndefined()
    }
  })

  it('misses when cut off anywhere', () => {
    for (let length = 0; length < packed.length; length++) {
      expect(unpackEntry(KEY, packed.slice(0, length)), `${length} bytes`).toBeUndefined()
    }
  })

  it('misses when followed by more bytes', () => {
    expect(unpackEntry(KEY, Buffer.concat([packed, Buffer.from('\0')]))).toBeUndefined()
  })

  it('misses when the digest is right but the header is not an entry of this key', () => {
    expect(unpackEntry(KEY, sealed(`"key":"${KEY}","size":1,"meta":{}}\nx`))).toEqual({
      meta: {},
      data: new Uint8Array([120]),
    })
    const wrong = [
      `"key":"${KEY}","size":1,"meta":{}}`,
      `"key":"${KEY}","size":1,"meta":{}\nx`,
      `"key":"${KEY}","size":2,"meta":{}}\nx`,
      `"key":"${KEY}","size":1,"meta":null}\nx`,
      `"key":"${KEY}","size":1,"meta":[]}\nx`,
      `"key":"${KEY}","size":1}\nx`,
      `"size":1,"meta":{}}\nx`,
    ]
    for (const rest of wrong) expect(unpackEntry(KEY, sealed(rest)), rest).toBeUndefined()
  })
})
