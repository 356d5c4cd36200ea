import { describe, expect, it } from 'vitest'
import { isInteractive, lineWidth, tableStyle } from '../../src/report/terminal.ts'

const terminal = { isTTY: true, columns: 100 }

describe('tableStyle', () => {
  it('has colours on a terminal only, and follows NO_COLOR', () => {
    expect(tableStyle(terminal, {})).toEqual({ width: 99, color: true, full: false })
    expect(tableStyle(terminal, { NO_COLOR: '' }).color).toBe(true)
    expect(tableStyle(terminal, { NO_COLOR: '1' }).color).toBe(false)
    expect(tableStyle(terminal, { TERM: 'dumb' }).color).toBe(false)
    expect(tableStyle(terminal, { CI: 'true' }).color).toBe(false)
    expect(tableStyle({}, {})).toEqual({ width: 119, color: false, full: false })
  })

  it('lists everything for PIXPRESS_REPORT=full', () => {
    expect(tableStyle(terminal, { PIXPRESS_REPORT: 'full' }).full).toBe(true)
    expect(tableStyle(terminal, { PIXPRESS_REPORT: '1' }).full).toBe(false)
  })

  it('is made for 40 columns and more', () => {
    expect(tableStyle({ isTTY: true, columns: 40 }, {}).width).toBe(39)
    expect(tableStyle({ isTTY: true, columns: 20 }, {}).width).toBe(39)
  })
})

it.each([
  [{}, true],
  [{ CI: 'false' }, true],
  [{ CI: '0' }, true],
  [{ CI: '' }, true],
  [{ CI: '1' }, false],
  [{ CI: 'woodpecker' }, false],
  [{ TERM: 'dumb' }, false],
])('a terminal with %j is interactive: %s', (environment, expected) => {
  expect(isInteractive({ isTTY: true }, environment)).toBe(expected)
})

it('is never interactive without a terminal', () => {
  expect(isInteractive({}, {})).toBe(false)
  expect(isInteractive({ isTTY: false }, {})).toBe(false)
})

it('leaves the last column free', () => {
  expect([lineWidth({ columns: 80 }), lineWidth({ columns: 1 }), lineWidth({ columns: 0 })]).toEqual([79, 1, 119])
})
