import { describe, expect, it } from 'vitest'
import { cleanText, decodeText, MAX_TEXT_BYTES } from '../../src/metadata/text.ts'

describe('decodeText', () => {
  it('reads UTF-8 and, where it is not that, Latin-1', () => {
    expect(decodeText(new TextEncoder().encode('© Ada ☕\0'))).toBe('© Ada ☕')
    expect(decodeText(Uint8Array.of(0xa9, 0x20, 0x41, 0x64, 0x61))).toBe('© Ada')
  })

  it('reads the two notices of an EXIF copyright as two lines', () => {
    expect(decodeText(new TextEncoder().encode('photographer\0editor\0'))).toBe('photographer\neditor')
    expect(decodeText(new TextEncoder().encode(' \0editor\0'))).toBe('editor')
  })

  it('drops padding, control characters, and blank texts', () => {
    expect(decodeText(new TextEncoder().encode('a\u0007b\u009Fc\td\r\n\0\0\0 '))).toBe('abc\td')
    expect(decodeText(new Uint8Array(20).fill(0x20))).toBeUndefined()
    expect(decodeText(new Uint8Array())).toBeUndefined()
  })

  it('drops a text that is too long, also where it only gets so in UTF-8', () => {
    expect(decodeText(new Uint8Array(MAX_TEXT_BYTES).fill(0x61))).toHaveLength(MAX_TEXT_BYTES)
    expect(decodeText(new Uint8Array(MAX_TEXT_BYTES + 1).fill(0x61))).toBeUndefined()
    expect(decodeText(new Uint8Array(MAX_TEXT_BYTES).fill(0xe9))).toBeUndefined()
  })
})

describe('cleanText', () => {
  it('does not change a text twice', () => {
    const once = cleanText('\0 a\0\u0001b \0')
    expect(once).toBe('a\nb')
    expect(cleanText(once ?? '')).toBe(once)
  })
})
