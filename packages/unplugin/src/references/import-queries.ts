import type { JSXToken, Token } from 'js-tokens'
import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import { decodeJsString, encodeJsString } from './js-string.ts'
import { isCode, readScript } from './script-tokens.ts'
import type { TokenReader } from './script-tokens.ts'

/** An import of an image with a query, as a script names it. */
export interface ImportQuery {
  /** Without its query. */
  readonly specifier: string
  /** With its `?`. */
  readonly query: string
  /** UTF-16 offset after the opening quote. */
  readonly start: number
  /** UTF-16 offset of the closing quote. */
  readonly end: number
  /** The text to put between `start` and `end` so that another module is imported. */
  encode(specifier: string): string
}

const IMAGE_WITH_QUERY = new RegExp(String.raw`^([^?#]+${EXTENSION_PATTERN})(\?[^#]+)$`, 'i')

/**
 * Finds the images with a query that JavaScript, TypeScript, JSX or TSX imports: `from '…'`, `import '…'`,
 * `import('…')` and `require('…')` with a literal. Text in strings, comments and JSX does not count. Never throws,
 * whatever the code.
 */
export function findImportQueries(code: string): readonly ImportQuery[] {
  return readScript(code, () => new ImportReader())?.found ?? []
}

class ImportReader implements TokenReader {
  readonly found: ImportQuery[] = []
  /** Tells whether a specifier may come next. */
  #expects = false
  #isCall = false
  #previous = ''

  read(token: Token | JSXToken, offset: number): void {
    if (token.type === 'WhiteSpace' || token.type === 'LineTerminatorSequence') return
    if (token.type === 'MultiLineComment' || token.type === 'SingleLineComment') return
    if (this.#expects) this.#add(token, offset)
    const isMember = this.#previous === '.' || this.#previous === '?.'
    const isOpened = this.#isCall && isCode(token, '(')
    this.#isCall = !isMember && (isCode(token, 'import') || isCode(token, 'require'))
    this.#expects = isOpened || (!isMember && (isCode(token, 'import') || isCode(token, 'from')))
    this.#previous = token.value
  }

  #add(token: Token | JSXToken, offset: number): void {
    if (token.type !== 'StringLiteral' && token.type !== 'NoSubstitutionTemplate') return
    const quote = token.value[0]
    if (!token.closed || (quote !== '"' && quote !== "'" && quote !== '`')) return
    const raw = token.value.slice(1, -1)
    const [, specifier, query] = IMAGE_WITH_QUERY.exec(decodeJsString(raw) ?? '') ?? []
    if (specifier === undefined || query === undefined) return
    const start = offset + 1
    this.found.push({
      specifier,
      query,
      start,
      end: start + raw.length,
      encode: (given) => encodeJsString(given, quote),
    })
  }
}
