import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { allowedUrls } from '../../src/net/url-patterns.ts'

const allows = (pattern: string, url: string): boolean => allowedUrls('remoteImages', [pattern])(new URL(url))

describe('allowedUrls', () => {
  it.each([
    ['https://a.example', 'https://a.example/deep/a.jpg'],
    ['https://a.example/photos/**', 'https://a.example/photos/2026/a.jpg?w=1'],
    ['https://a.example/photos/**', 'https://A.example:443/photos'],
    ['https://a.example/*/a.jpg', 'https://a.example/x/a.jpg'],
    ['https://a.example/**/a.jpg', 'https://a.example/a.jpg'],
    ['https://a.example/**/a*.jpg', 'https://a.example/x/y/abc.jpg'],
    ['https://a.example/ä b/*', 'https://a.example/%C3%A4%20b/a.jpg'],
    ['https://*.example.com', 'https://a.b.example.com/a.jpg'],
    ['https://a.example:8443/**', 'https://a.example:8443/a.jpg'],
    ['http://127.0.0.1:3000/**', 'http://127.0.0.1:3000/a.jpg'],
    ['http://localhost:3000', 'http://localhost:3000/a.jpg'],
    ['https://[::1]:8443', 'https://[::1]:8443/a.jpg'],
  ])('%s allows %s', (pattern, url) => {
    expect(allows(pattern, url)).toBe(true)
  })

  it.each([
    ['https://a.example', 'http://a.example/a.jpg'],
    ['https://a.example', 'https://a.example.evil.test/a.jpg'],
    ['https://a.example', 'https://b.a.example/a.jpg'],
    ['https://a.example', 'https://a.example:8443/a.jpg'],
    ['https://a.example', 'https://user@a.example/a.jpg'],
    ['https://a.example/photos/**', 'https://a.example/photosx/a.jpg'],
    ['https://a.example/photos/**', 'https://a.example/photos/../a.jpg'],
    ['https://a.example/photos/**', 'https://a.example/photos/%2e%2e/a.jpg'],
    ['https://a.example/*/a.jpg', 'https://a.example/x/y/a.jpg'],
    ['https://a.example/a.jpg', 'https://a.example/aXjpg'],
    ['https://*.example.com', 'https://example.com/a.jpg'],
    ['https://*.example.com', 'https://evilexample.com/a.jpg'],
  ])('%s does not allow %s', (pattern, url) => {
    expect(allows(pattern, url)).toBe(false)
  })

  it.each([
    '',
    '*',
    'https://*',
    'https://*.com',
    'a.example',
    'http://a.example',
    'ftp://a.example',
    'https://a.example/a?b',
    'https://u:p@a.example/',
  ])('refuses %j', (pattern) => {
    expect(() => allowedUrls('remoteImages', [pattern])).toThrow(failure('INVALID_OPTION', "'remoteImages[0]'"))
  })
})
