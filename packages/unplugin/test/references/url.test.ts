import { LINEAR, growth } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { decodePath, isExternal, isTemplated, normalizeUrl, splitUrl } from '../../src/references/url.ts'

const spaced = (times: number): string => `a${' '.repeat(200_000 * times)}b`

describe('splitUrl', () => {
  it.each([
    ['./a.png?w=3#x', './a.png', '?w=3', '#x'],
    ['a.png', 'a.png', '', ''],
    ['a.png#x?y', 'a.png', '', '#x?y'],
    ['a.png?x?y', 'a.png', '?x?y', ''],
    ['font.eot?#iefix', 'font.eot', '?', '#iefix'],
    ['', '', '', ''],
  ])('splits %j', (url, path, query, hash) => {
    expect(splitUrl(url)).toEqual({ path, query, hash })
    expect(path + query + hash).toBe(url)
  })
})

describe('isExternal', () => {
  it.each([
    '',
    ' ',
    '#a',
    '//host/a.png',
    'https://host/a.png',
    'HTTP://h',
    'data:image/png;base64,AA',
    'blob:x',
    'about:blank',
    ' \n//h',
  ])('holds for %j', (url) => expect(isExternal(url)).toBe(true))
  it.each([
    'a.png',
    './a.png',
    '../a.png',
    '/a.png',
    '@/a.png',
    '~pkg/a.png',
    'a/b:c.png',
    '?w=3',
    '1a:b.png',
    '😀.png',
  ])('does not hold for %j', (url) => expect(isExternal(url)).toBe(false))
})

describe('isTemplated', () => {
  it.each([
    '{{ x }}/a.png',
    '{% static "a.png" %}',
    '<%= a %>',
    '<?php',
    '${a}.png',
    '#{$a}.png',
    '@{a}.png',
    '%BASE_URL%a.png',
    '%VITE_X%/a.png',
    '%PUBLIC_URL%',
  ])('holds for %j', (url) => expect(isTemplated(url)).toBe(true))
  it.each(['a.png', 'a%20b.png', '%E4%BA%8C.png', '100%.png', 'a{1}.png', '$a.png', '@/a.png', '50%25%20a.png'])(
    'does not hold for %j',
    (url) => expect(isTemplated(url)).toBe(false),
  )
})

describe('normalizeUrl', () => {
  it('drops what the URL parser drops', () => {
    expect(normalizeUrl(' \0\n a\tb\r\nc d.png \u0001 ')).toBe('abc d.png')
    expect(normalizeUrl(' \n ')).toBe('')
  })
  it('takes long runs of spaces in linear time', () => {
    expect(growth(spaced, (url) => expect(normalizeUrl(url)).toBe(url))).toBeLessThan(LINEAR)
  })
})

describe('decodePath', () => {
  it.each([
    ['a%20b.png', 'a b.png'],
    ['%E6%BC%A2%F0%9F%98%80.png', '漢😀.png'],
    ['a%23b%3Fc.png', 'a#b?c.png'],
    ['100%.png', '100%.png'],
    ['%zz%20%', '%zz %'],
    ['%20%E4%20', ' %E4 '],
    ['%C0%80%ED%A0%80', '%C0%80%ED%A0%80'],
    ['', ''],
  ])('decodes %j', (path, expected) => expect(decodePath(path)).toBe(expected))
})
