import { expect, it } from 'vitest'
import { applyEdits, removeLines } from '../../src/script/edits.ts'

it.each([
  ['a\n  X\nb\n', 'a\nb\n'],
  ['X\nb', 'b'],
  ['a\nX', 'a\n'],
  ['a\nX  ', 'a\n  '],
  ['a; X\nb', 'a; \nb'],
  ['a\nX; b\nc', 'a\n; b\nc'],
  ['X', ''],
])('of %j a removal leaves %j', (text, left) => {
  const at = text.indexOf('X')
  expect(applyEdits(text, [removeLines(text, at, at + 1)])).toBe(left)
})
