import { describe, expect, it } from 'vitest'
import { createClient } from '../../src/index.ts'
import { resolveClientOptions } from '../../src/base/options.ts'

const key = 'test-key'
const endpoint = 'https://images.example.com'

describe('endpoint', () => {
  it.each([
    ['https://images.example.com', 'https://images.example.com/'],
    ['https://images.example.com/v1', 'https://images.example.com/v1/'],
    ['https://images.example.com:8443/v1/', 'https://images.example.com:8443/v1/'],
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['http://127.8.9.1', 'http://127.8.9.1/'],
    ['http://[::1]:8080', 'http://[::1]:8080/'],
  ])('takes %s', (given, resolved) => {
    expect(resolveClientOptions({ key, endpoint: given }).endpoint.href).toBe(resolved)
  })

  it.each([
    ['http://images.example.com', 'this machine only'],
    ['http://192.168.1.4', 'this machine only'],
    ['http://127.0.0.1.example.com', 'this machine only'],
    ['http://localhost.example.com', 'this machine only'],
    ['ftp://images.example.com', 'https URL'],
    ['images.example.com', 'absolute URL'],
    ['', 'absolute URL'],
    ['https://me:word@images.example.com', 'without user name'],
    ['https://images.example.com/?a=1', 'without query'],
  ])('refuses %s', (given, reason) => {
    expect(() => createClient({ key, endpoint: given })).toThrow(TypeError)
    expect(() => createClient({ key, endpoint: given })).toThrow(reason)
  })

  it('stays as it was when the caller changes the object', () => {
    const url = new URL(endpoint)
    const { endpoint: resolved } = resolveClientOptions({ key, endpoint: url })
    url.hostname = 'other.example.com'
    expect(resolved.hostname).toBe('images.example.com')
  })
})

describe('key', () => {
  it.each(['', ' ', 'a b', 'line\r\nbreak', 'schlüssel', undefined as unknown as string])('refuses %j', (given) => {
    expect(() => createClient({ key: given, endpoint })).toThrow("for 'key'")
  })

  it('is not shown when it is refused', () => {
    expect(() => createClient({ key: 'hush hush', endpoint })).not.toThrow(/hush/)
  })
})

describe('proxy', () => {
  it.each(['socks5://127.0.0.1:1', 'http://me:50%@127.0.0.1:1', '127.0.0.1:1'])('refuses %s', (proxy) => {
    expect(() => createClient({ key, endpoint, proxy })).toThrow("'proxy'")
    expect(() => createClient({ key, endpoint, proxy })).not.toThrow('50')
  })
})

describe('numbers', () => {
  it.each([
    ['timeout', 0],
    ['timeout', 2 ** 31],
    ['idleTimeout', -1],
    ['connectTimeout', Number.NaN],
    ['concurrency', 0],
    ['concurrency', 1.5],
    ['retries', -1],
    ['maxWait', Infinity],
    ['maxResponseSize', '1' as unknown as number],
  ])('refuse %s: %s', (name, value) => {
    expect(() => createClient({ key, endpoint, [name]: value })).toThrow(`for '${name}' but received ${value}`)
  })
})

it('refuses unknown options by name', () => {
  expect(() => createClient({ key, endpoint, timeOut: 5 } as never)).toThrow(
    "Unknown client option 'timeOut'. Known: key,",
  )
})
