import { describe, expect, it } from 'vitest'
import { decodeCss, encodeCssString, encodeCssUrl } from '../../src/references/css-escape.ts'
import { AWKWARD_URLS } from './random.ts'

describe('decodeCss', () => {
  it.each([
    ['a.png', 'a.png'],
    ['a\\ b\\).png', 'a b).png'],
    ['\\41 B', 'AB'],
    ['\\000041B', 'AB'],
    ['\\41\r\nB', 'AB'],
    ['\\1F600 .png', '😀.png'],
    ['\\😀', '😀'],
    ['a\\\nb', 'ab'],
    ['\\0 \\D800 \\110000 ', '\uFFFD\uFFFD\uFFFD'],
    ['a\\', 'a'],
    ['\\\\', '\\'],
  ])('resolves %j', (raw, expected) => expect(decodeCss(raw)).toBe(expected))
})

describe('encoders', () => {
  it.each(AWKWARD_URLS)('make what is decoded to %j', (url) => {
    expect(decodeCss(encodeCssString(url, '"'))).toBe(url)
    expect(decodeCss(encodeCssString(url, "'"))).toBe(url)
    expect(decodeCss(encodeCssUrl(url).replace(/^"(.*)"$/, '$1'))).toBe(url)
  })
  it('escape only what they must', () => {
    expect(encodeCssString("a b('1').png", '"')).toBe("a b('1').png")
    expect(encodeCssUrl('a/b-1.png?c=d&e#f')).toBe('a/b-1.png?c=d&e#f')
    expect(encodeCssUrl('a b.png')).toBe('"a b.png"')
    expect(encodeCssString('a\nbc', '"')).toBe('a\\a bc')
  })
})
