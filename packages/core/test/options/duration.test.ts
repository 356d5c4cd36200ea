import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { DURATION, parseDuration } from '../../src/options/duration.ts'

describe('a duration', () => {
  it.each([
    ['5s', 5000],
    ['1.5m', 90_000],
    ['2 min', 120_000],
    ['500 ms', 500],
  ])('%s is %i milliseconds', (text, milliseconds) => {
    expect(parseDuration('firstBuild', text)).toBe(milliseconds)
    expect(DURATION.parse(text, 'firstBuild')).toBe(milliseconds)
    expect(text).toMatch(new RegExp((DURATION.schema['anyOf'] as { pattern?: string }[])[1]!.pattern!))
  })

  it.each(['', '5', 's', '0s', '-5s', '5 h', '1e9s', '5s 3ms'])('is refused as %j', (text) => {
    expect(() => DURATION.parse(text, 'firstBuild')).toThrow(failure('INVALID_OPTION', "'5s'", "'2m'", "'500ms'"))
  })

  it('may be milliseconds as a number', () => {
    expect(DURATION.parse(5, 'firstBuild')).toBe(5)
    for (const wrong of [0, -1, 1.5, null, true]) {
      expect(() => DURATION.parse(wrong, 'firstBuild')).toThrow("for 'firstBuild'")
    }
  })
})
