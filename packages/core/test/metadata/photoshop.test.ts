import { describe, expect, it } from 'vitest'
import type { Copyright } from '../../src/metadata/types.ts'
import { buildPhotoshop, readPhotoshop } from '../../src/metadata/photoshop.ts'

const bytes = (...parts: (string | number)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : [part])))

describe('readPhotoshop', () => {
  it('finds the resources among others, with names and padding', () => {
    const blocks = [
      bytes('8BIM', 4, 0, 3, 'abc', 0, 0, 0, 3, 'xyz', 0),
      bytes('MeSa', 4, 0, 0, 0, 0, 0, 0, 0),
      bytes('8BIM', 4, 0x0a, 0, 0, 0, 0, 0, 1, 1, 0),
      bytes('8BIM', 4, 0x0b, 0, 0, 0, 0, 0, 1, 'u', 0),
    ]
    expect(readPhotoshop(Buffer.concat(blocks))).toEqual({ copyright: { flagged: true, url: 'u' } })
  })

  it('reads the copyright notice of IPTC', () => {
    const iptc = [0x1c, 2, 80, 0, 3, 'Ada', 0x1c, 2, 116, 0, 5, '(c) A']
    const blocks = bytes('8BIM', 4, 4, 0, 0, 0, 0, 0, 18, ...iptc)
    expect(readPhotoshop(blocks)).toEqual({ copyright: { text: '(c) A' } })
  })

  it.each([
    ['a resource longer than the rest', bytes('8BIM', 4, 0x0b, 0, 0, 0x7f, 255, 255, 255, 'u')],
    ['a truncated header', bytes('8BIM', 4, 0x0b, 0)],
    ['another signature', bytes('XXXX', 4, 0x0a, 0, 0, 0, 0, 0, 1, 1, 0)],
    ['an IPTC notice longer than its resource', bytes('8BIM', 4, 4, 0, 0, 0, 0, 0, 6, 0x1c, 2, 116, 0x7f, 0xff, 'a')],
    ['an IPTC notice of extended length', bytes('8BIM', 4, 4, 0, 0, 0, 0, 0, 6, 0x1c, 2, 116, 0x80, 1, 'a')],
    ['a flag that is not set', bytes('8BIM', 4, 0x0a, 0, 0, 0, 0, 0, 1, 0, 0)],
    ['an empty flag', bytes('8BIM', 4, 0x0a, 0, 0, 0, 0, 0, 0)],
  ])('takes nothing from %s', (_, blocks) => {
    expect(readPhotoshop(blocks)).toEqual({})
  })
})

describe('buildPhotoshop', () => {
  it.each([{ flagged: true }, { url: 'https://example.com/' }, { flagged: true, url: 'odd' }] satisfies Copyright[])(
    'writes what readPhotoshop reads: %j',
    (copyright) => {
      expect(readPhotoshop(buildPhotoshop(copyright) ?? new Uint8Array())).toEqual({ copyright })
    },
  )

  it('writes nothing for a text alone', () => {
    expect(buildPhotoshop({ text: 'Ada' })).toBeUndefined()
  })
})
