import type { JSXToken, Token } from 'js-tokens'
import { decodeJsString, encodeJsString } from './js-string.ts'
import { isCode, readScript } from './script-tokens.ts'
import type { TokenReader } from './script-tokens.ts'
import type { Reference } from './types.ts'
import { isExternal, normalizeUrl } from './url.ts'

/** The URL of a `new URL('…', import.meta.url)`. */
export interface NewUrlReference extends Reference {
  kind: 'new-url'
  /** UTF-16 offset of `new`. */
  expressionStart: number
  /** UTF-16 offset after the closing parenthesis. */
  expressionEnd: number
}

/**
 * Finds `new URL('literal', import.meta.url)` in JavaScript, TypeScript, JSX or TSX. The literal may be a template
 * without substitutions. Text in strings, comments and JSX does not count, nor do calls with a comment that tells
 * bundlers to keep away (`@vite-ignore`, `webpackIgnore: true`, `turbopackIgnore: true`) and URLs that cannot name a
 * file. Never throws, whatever the code.
 */
export function findNewUrls(code: string): NewUrlReference[] {
  if (!code.includes('import.meta.url') || !code.includes('URL')) return []
  return readScript(code, () => new NewUrlMatcher())?.references ?? []
}

const LITERAL = Symbol('literal')
const EXPRESSION = ['new', 'URL', '(', LITERAL, ',', 'import', '.', 'meta', '.', 'url', ')'] as const
const CLOSING = EXPRESSION.length - 1
const IGNORE = /@vite-ignore|\b(?:webpack|turbopack)Ignore:\s*true\b/

/** Follows the expression token by token. Starting over at a mismatch suffices, for only its first token is `new`. */
class NewUrlMatcher implements TokenReader {
  readonly references: NewUrlReference[] = []
  #matched = 0
  #previous = ''
  #hasTrailingComma = false
  #isIgnored = false
  #expressionStart = 0
  #literal: { raw: string; quote: '"' | "'" | '`'; start: number } | undefined

  read(token: Token | JSXToken, offset: number): void {
    if (token.type === 'WhiteSpace' || token.type === 'LineTerminatorSequence') return
    if (token.type === 'MultiLineComment' || token.type === 'SingleLineComment') {
      this.#isIgnored ||= IGNORE.test(token.value)
      return
    }
    if (this.#matched === CLOSING && isCode(token, ',') && !this.#hasTrailingComma) {
      this.#hasTrailingComma = true
    } else if (this.#continues(token, offset)) {
      this.#matched += 1
    } else {
      this.#matched = isCode(token, 'new') && !/^\??\.$/.test(this.#previous) ? 1 : 0
      this.#expressionStart = offset
      this.#hasTrailingComma = false
      this.#isIgnored = false
    }
    if (this.#matched === EXPRESSION.length) {
      this.#add(offset + token.value.length)
      this.#matched = 0
    }
    this.#previous = token.value
  }

  #continues(token: Token | JSXToken, offset: number): boolean {
    const expected = this.#matched === 0 ? undefined : EXPRESSION[this.#matched]
    if (expected !== LITERAL) return expected !== undefined && isCode(token, expected)
    if ((token.type !== 'StringLiteral' && token.type !== 'NoSubstitutionTemplate') || !token.closed) return false
    const quote = token.value[0]
    if (quote !== '"' && quote !== "'" && quote !== '`') return false
    this.#literal = { raw: token.value.slice(1, -1), quote, start: offset + 1 }
    return true
  }

  #add(expressionEnd: number): void {
    if (this.#isIgnored || this.#literal === undefined) return
    const { raw, quote, start } = this.#literal
    const url = normalizeUrl(decodeJsString(raw) ?? '')
    if (isExternal(url)) return
    this.references.push({
      kind: 'new-url',
      url,
      start,
      end: start + raw.length,
      expressionStart: this.#expressionStart,
      expressionEnd,
      encode: (given) => (given === url ? raw : encodeJsString(given, quote)),
    })
  }
}
