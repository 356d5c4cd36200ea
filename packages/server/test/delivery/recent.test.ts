import { describe, expect, it } from 'vitest'
import { createRecent } from '../../src/delivery/recent.ts'

describe('values in memory', () => {
  it('go where there are too many, those used least recently first', () => {
    const recent = createRecent<string>(80, (value) => value.length)
    for (const key of 'abcdefgh') recent.set(key, key.repeat(10))
    expect(recent.get('a')).toBe('a'.repeat(10))
    recent.set('i', 'i'.repeat(10))
    expect([recent.get('a'), recent.get('b')]).toEqual(['a'.repeat(10), undefined])
    expect(recent.get('c')).toBe('c'.repeat(10))
  })

  it('are replaced without being counted twice', () => {
    const recent = createRecent<string>(80, (value) => value.length)
    for (let i = 0; i < 100; i++) recent.set('a', 'a'.repeat(10))
    for (const key of 'bcdefgh') recent.set(key, key.repeat(10))
    expect(recent.get('a')).toBe('a'.repeat(10))
  })

  it('are not kept where one would push out most of the others', () => {
    const recent = createRecent<string>(80, (value) => value.length)
    recent.set('a', 'a'.repeat(10))
    recent.set('large', 'x'.repeat(11))
    expect([recent.get('a'), recent.get('large')]).toEqual(['a'.repeat(10), undefined])
    recent.set('a', 'x'.repeat(11))
    expect(recent.get('a')).toBeUndefined()
  })
})
