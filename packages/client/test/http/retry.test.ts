import { describe, expect, it } from 'vitest'
import { retryAfterOf } from '../../src/http/retry.ts'

describe('retryAfterOf', () => {
  const now = Date.UTC(2026, 0, 31, 23, 59, 50)

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7000],
    ['Sun, 01 Feb 2026 00:00:00 GMT', 10_000],
    ['Sunday, 01-Feb-26 00:00:00 GMT', 10_000],
    ['Sat, 31 Jan 2026 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['', undefined],
    ['9'.repeat(40), undefined],
    [undefined, undefined],
  ])('reads %j as %j ms', (header, expected) => {
    expect(retryAfterOf(header, now)).toBe(expected)
  })
})
