import { describe, expect, it } from 'vitest'
import { createPathMatcher } from '../../src/files/path-patterns.ts'

describe('a matcher of paths', () => {
  it.each([
    ['a/**', 'a/b.png', true],
    ['a/**', 'b/a/b.png', false],
    ['**/*.png', '.hidden/a.png', true],
    ['**/*.png', '../a.png', true],
    ['*.png', '../a.png', false],
    [/icons/, 'a/icons/b.png', true],
    [['*.jpg', /b/], 'b.png', true],
    [[], 'a.png', false],
  ])('of %s says of %s: %s', (pattern, file, expected) => {
    expect(createPathMatcher(pattern)(file)).toBe(expected)
  })

  it('says the same twice of a global expression', () => {
    const matches = createPathMatcher(/a/g)
    expect([matches('a'), matches('a')]).toEqual([true, true])
  })
})
