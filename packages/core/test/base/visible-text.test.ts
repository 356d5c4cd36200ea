import { expect, it } from 'vitest'
import { visibleText } from '../../src/base/visible-text.ts'

it.each([
  ['plain path', 'src/a b/hero@2x (1).jpg', 'src/a b/hero@2x (1).jpg'],
  ['colour sequence', 'a\u001B[31mred.png', 'a\\x1b[31mred.png'],
  ['operating system command', '\u001B]0;title\u0007.png', '\\x1b]0;title\\x07.png'],
  ['C1 control sequence introducer', '\u009B2J.png', '\\x9b2J.png'],
  ['line break and tab', 'a\r\n\tb', 'a\\x0d\\x0a\\x09b'],
  ['delete', 'a\u007F', 'a\\x7f'],
  ['bidirectional override', 'a\u202Egnp.js', 'a\\u202egnp.js'],
  ['zero-width space and byte order mark', 'a\u200B\uFEFFb', 'a\\u200b\\ufeffb'],
  ['line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
  ['tag beyond the basic plane', 'a\u{E0041}', 'a\\u{e0041}'],
  ['half of a surrogate pair', 'a\uD83D.png', 'a\\ud83d.png'],
  ['letters of all scripts', 'é/写真/фото/می\u200Cخواهم', 'é/写真/фото/می\u200Cخواهم'],
  ['joined emoji', '👩\u200D🚀.png', '👩\u200D🚀.png'],
])('%s', (_, text, expected) => {
  expect(visibleText(text)).toBe(expected)
})
