import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../src/options/byte-size.ts'

describe('parseBytes', () => {
  it.each([
    ['100', 100],
    ['300kB', 300_000],
    ['300 KB', 300_000],
    ['1.5MiB', 1_572_864],
    ['2GB', 2_000_000_000],
    [' 7b ', 7],
  ])('%j is %i bytes', (text, bytes) => {
    expect(parseBytes('--max-bytes', text)).toBe(bytes)
  })

  it.each(['', '0', '-5', '3k', '3 apples', 'kB', '1e3', '0.2', 'constructor', '9999999999GB'])(
    '%j is refused',
    (text) => {
      expect(() => parseBytes('--max-bytes', text)).toThrow(failure('INVALID_OPTION', '1 byte', "'300kB'", "'20MiB'"))
    },
  )

  it('takes 0 where that means something', () => {
    expect(parseBytes('--max-size', '0', 0)).toBe(0)
  })
})
