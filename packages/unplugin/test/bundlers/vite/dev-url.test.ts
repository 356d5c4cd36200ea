import { describe, expect, it } from 'vitest'
import { plannedId, withoutBase } from '../../../src/bundlers/vite/dev-url.ts'

describe('withoutBase', () => {
  it.each([
    ['/', '/a.png?w=3', { path: '/a.png', query: '?w=3' }],
    ['/app/', '/app/a%20b.png', { path: '/a b.png', query: '' }],
    ['/', '/x/../../a.png', { path: '/a.png', query: '' }],
    ['/', '/x/%2e%2e/%2e%2e/a.png', { path: '/a.png', query: '' }],
    ['/app/', '/a.png', undefined],
    ['/app/', '/application/a.png', undefined],
    ['/', '/%E0%A4%A.png', undefined],
    ['/', '/%00.png', undefined],
  ])('%s %s', (base, url, expected) => {
    expect(withoutBase(base, url)).toEqual(expected)
  })
})

describe('plannedId', () => {
  it.each([
    ['/@pixpress/0123456789abcdef/a.png', '0123456789abcdef'],
    ['/@pixpress/0123456789abcdef/', undefined],
    ['/@pixpress/0123456789abcde/a.png', undefined],
    ['/@pixpress/0123456789abcdef/../a.png', undefined],
    ['/x/@pixpress/0123456789abcdef/a.png', undefined],
  ])('%s', (urlPath, id) => {
    expect(plannedId(urlPath)).toBe(id)
  })
})
