import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { decodeJsString, encodeJsString } from '../../src/references/js-string.ts'
import { AWKWARD_URLS } from './random.ts'

describe('decodeJsString', () => {
  it.each([
    'a.png',
    '\\n\\t\\b\\f\\r\\v',
    '\\x41\\u0042\\u{43}\\u{1F600}',
    'a\\\nb\\\r\nc',
    '\\q\\"\\\\',
    '\\0',
    '\\uD83D\\uDE00',
    '\\\u2028',
    '\\😀',
  ])('reads %j as JavaScript does', (raw) => expect(decodeJsString(raw)).toBe(runInNewContext(`'use strict';"${raw}"`)))
  it.each(['\\1', '\\01', '\\08', '\\9', '\\u12', '\\xz', '\\u{110000}'])('refuses %j as modules do', (raw) => {
    expect(() => runInNewContext(`'use strict';"${raw}"`)).toThrow(expect.objectContaining({ name: 'SyntaxError' }))
    expect(decodeJsString(raw)).toBeUndefined()
  })
})

describe('encodeJsString', () => {
  it.each([...AWKWARD_URLS, '${a}', '\\${a}', 'a\r\n\u2028\u2029b', '"\'`'])(
    'writes %j so that JavaScript reads it back',
    (value) => {
      for (const quote of ['"', "'", '`'] as const) {
        const raw = encodeJsString(value, quote)
        expect(runInNewContext(quote + raw + quote)).toBe(value)
        expect(decodeJsString(raw)).toBe(value)
        expect(raw).not.toContain('</')
      }
    },
  )
  it('leaves other quotes alone', () => expect(encodeJsString('a"b${c}', "'")).toBe('a"b${c}'))
})
