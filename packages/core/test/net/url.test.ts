import { describe, expect, it } from 'vitest'
import { baseUrl, isEncryptedOrLocal, isLoopback } from '../../src/net/url.ts'

describe('isLoopback', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.10', '::1', '[::1]', '0:0:0:0:0:0:0:1', '::1%lo'])(
    'takes %s for this machine',
    (host) => {
      expect(isLoopback(host)).toBe(true)
    },
  )

  it.each(['::ffff:127.0.0.1', '[::ffff:7f00:1]'])('takes %s, an IPv4 address in IPv6, for this machine', (host) => {
    expect(isLoopback(host)).toBe(true)
  })

  it.each(['', '0.0.0.0', '::', '128.0.0.1', '127.0.0.1.example.com', 'localhost.example.com', '::ffff:7f:1', '::2'])(
    'takes %j for another machine',
    (host) => {
      expect(isLoopback(host)).toBe(false)
    },
  )
})

describe('baseUrl', () => {
  it.each([
    ['https://images.example.com', 'https://images.example.com'],
    ['https://images.example.com/base//', 'https://images.example.com/base'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ])('takes %s', (given, url) => {
    expect(baseUrl(given, { encrypted: true })).toBe(url)
  })

  it.each([
    undefined,
    5,
    'images.example.com',
    '/base',
    'ftp://example.com',
    'https://user@example.com',
    'https://:password@example.com',
    'https://example.com?key',
    'https://example.com#part',
    'http://example.com',
  ])('refuses %j where it must be encrypted', (given) => {
    expect(baseUrl(given, { encrypted: true })).toBeUndefined()
  })

  it('takes http for other machines where it need not be encrypted', () => {
    expect(baseUrl('http://example.com', { encrypted: false })).toBe('http://example.com')
  })
})

it.each([
  ['https://example.com', true],
  ['http://[::1]:80', true],
  ['http://example.com', false],
  ['ftp://127.0.0.1', false],
])('%s cannot be read on the way: %s', (url, expected) => {
  expect(isEncryptedOrLocal(new URL(url))).toBe(expected)
})
