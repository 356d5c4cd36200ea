import { describe, expect, it } from 'vitest'
import { hashKey, makeKey, parseKey } from '../../src/index.ts'
import { parseKeys } from '../../src/accounts/keys.ts'

describe('parseKey', () => {
  it('a key and its hash are the same account', () => {
    const hex = hashKey('a-key').toString('hex')
    expect(parseKey(`sha256:${hex}`)).toEqual(parseKey('a-key'))
    expect(parseKey(`sha256:${hex.toUpperCase()}`)).toEqual(parseKey('a-key'))
    expect(parseKey('a-key').account).toBe(`key-${hex.slice(0, 16)}`)
  })

  it('a name makes several keys one account', () => {
    expect(parseKey('shop=a-key')).toEqual({ account: 'shop', hash: hashKey('a-key') })
    expect(parseKey(`shop=sha256:${hashKey('b').toString('hex')}`)).toEqual({ account: 'shop', hash: hashKey('b') })
    expect(parseKeys('--key', ' shop=a, shop=b\nother=c ').map(({ account }) => account)).toEqual([
      'shop',
      'shop',
      'other',
    ])
  })

  it('the padding of Base64 is part of a key', () => {
    expect(parseKey('c2VjcmV0MQ==').hash).toEqual(hashKey('c2VjcmV0MQ=='))
    expect(parseKey('shop=c2VjcmV0MQ==')).toEqual({ account: 'shop', hash: hashKey('c2VjcmV0MQ==') })
  })

  it('made keys are long, different, and safe in a curl line', () => {
    const keys = new Set(Array.from({ length: 100 }, makeKey))
    expect(keys.size).toBe(100)
    for (const key of keys) expect(key).toMatch(/^[\w-]{32}$/)
  })
})
