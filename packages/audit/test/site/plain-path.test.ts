import { describe, expect, it } from 'vitest'
import { plainPath } from '../../src/site/plain-path.ts'

describe('plainPath', () => {
  it.each([
    ['/a%20b/%D0%9A%D0%B0%D1%82.png', '/a b/Кат.png'],
    ['/100%', '/100%'],
    ['/100%%20ice', '/100% ice'],
    ['/%zz%20a', '/%zz a'],
    ['/%E0%A4%A.png', '/%E0%A4%A.png'],
    ['/%ff a', '/%ff a'],
  ])('reads %s as %s', (text, plain) => {
    expect(plainPath(text)).toBe(plain)
  })
})
