import { decodeCss } from './css-escape.ts'

/** The languages whose text is read: CSS, or a preprocessor's, which add line comments or do without semicolons. */
export type StylesheetSyntax = 'css' | 'scss' | 'less' | 'sass' | 'stylus'

/** Describes what a finder of URLs must tell apart; everything else of CSS is a `word` or a `delimiter`. */
export type CssToken =
  /** A quoted string; `start` and `end` are those of its inside. */
  | { type: 'string'; start: number; end: number; quote: '"' | "'"; closed: boolean }
  /** `url(…)` without quotes; `start` and `end` are those of the raw URL. */
  | { type: 'url'; start: number; end: number }
  /** A function's name, in lower case and without escapes, and its `(`. */
  | { type: 'function'; name: string }
  /** `@name`, in lower case, without the `@`. */
  | { type: 'at-keyword'; name: string }
  /** `#{` of Sass or `@{` of Less. */
  | { type: 'interpolation' }
  | { type: 'word' }
  /** White space that holds a line break. */
  | { type: 'newline' }
  /** One character that is none of the above, such as `(`, `)`, `{`, `}`, `;`, `,` or `+`. */
  | { type: 'delimiter'; value: string }

// Each expression is tried at one place and cannot fail after its repetition, so that none of them ever backtracks.
const SPACE = /[ \t\r\n\f]*/y
const HEX_ESCAPE = String.raw`\\[\da-fA-F]{1,6}(?:\r\n|[ \t\r\n\f])?`
const ESCAPE = String.raw`${HEX_ESCAPE}|\\[^\r\n\f]`
const WORD = new RegExp(String.raw`(?:[-\w$.%]+|#(?!\{)|[^\0-\x7f]+|${ESCAPE})+`, 'y')
const URL_BODY = new RegExp(String.raw`(?:[^"'()\\\0-\x20\x7f]+|${ESCAPE})*`, 'y')
const BAD_URL_REMNANTS = /(?:[^)\\]+|\\[^]|\\$)*/y
const LINE = /[^\r\n\f]*/y
const STRING_BODY = {
  '"': new RegExp(String.raw`(?:[^"\\\r\n\f]+|${HEX_ESCAPE}|\\(?:\r\n|[^]))*`, 'y'),
  "'": new RegExp(String.raw`(?:[^'\\\r\n\f]+|${HEX_ESCAPE}|\\(?:\r\n|[^]))*`, 'y'),
} as const

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

/**
 * Reads CSS, a stylesheet or a part of one, into tokens after https://www.w3.org/TR/css-syntax-3/#tokenization, without
 * comments. Takes preprocessors' text too. Never throws, whatever the text, in time linear to its length.
 */
export function* tokenizeCss(css: string, syntax: StylesheetSyntax): Generator<CssToken, void, undefined> {
  const hasLineComments = syntax !== 'css'
  let position = 0
  while (position < css.length) {
    const character = css[position]!
    const next = css[position + 1]
    if (/[ \t\r\n\f]/.test(character)) {
      const end = endOf(SPACE, css, position)
      if (/[\r\n\f]/.test(css.slice(position, end))) yield { type: 'newline' }
      position = end
    } else if (character === '/' && next === '*') {
      const end = css.indexOf('*/', position + 2)
      position = end === -1 ? css.length : end + 2
    } else if (character === '/' && next === '/' && hasLineComments) {
      position = endOf(LINE, css, position)
    } else if (character === '"' || character === "'") {
      const end = endOf(STRING_BODY[character], css, position + 1)
      const closed = css[end] === character
      yield { type: 'string', start: position + 1, end, quote: character, closed }
      position = closed ? end + 1 : end
    } else if ((character === '#' || character === '@') && next === '{') {
      yield { type: 'interpolation' }
      position += 2
    } else if (character === '@') {
      const end = endOf(WORD, css, position + 1)
      yield { type: 'at-keyword', name: decodeCss(css.slice(position + 1, end)).toLowerCase() }
      position = end
    } else {
      const end = endOf(WORD, css, position)
      if (end === position) {
        yield { type: 'delimiter', value: character }
        position += 1
      } else if (css[end] === '(') {
        position = yield* functionOrUrl(css, decodeCss(css.slice(position, end)).toLowerCase(), end + 1)
      } else {
        yield { type: 'word' }
        position = end
      }
    }
  }
}

/** Reads what follows a function's `(`, and answers where reading goes on. */
function* functionOrUrl(css: string, name: string, position: number): Generator<CssToken, number, undefined> {
  const start = endOf(SPACE, css, position)
  if (name !== 'url' || css[start] === '"' || css[start] === "'") {
    yield { type: 'function', name }
    return position
  }
  const end = endOf(URL_BODY, css, start)
  const close = endOf(SPACE, css, end)
  if (css[close] === ')') {
    yield { type: 'url', start, end }
    return close + 1
  }
  yield { type: 'word' }
  return endOf(BAD_URL_REMNANTS, css, close) + 1
}
