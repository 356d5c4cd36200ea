import { decodeCss, encodeCssString, encodeCssUrl } from './css-escape.ts'
import { tokenizeCss, type CssToken, type StylesheetSyntax } from './css-tokens.ts'
import { replaceReferences } from './replace.ts'
import type { Reference } from './types.ts'
import { mayNameFile, normalizeUrl } from './url.ts'
import type { TakesUrl } from './url.ts'

/** Options for reading a stylesheet. */
export interface StylesheetOptions {
  /**
   * The language of the text. All but `css` have line comments (`// …`), and in `sass` and `stylus` a line break ends
   * an at-rule. Default: `css`.
   */
  syntax?: StylesheetSyntax
  /** Which URLs are wanted. Default: those that can name a file of the project */
  takes?: TakesUrl
}

/**
 * The URLs of one declaration's value: those of `url()`, with quotes or without, and the bare strings of `image-set()`
 * and `-webkit-image-set()`, at any depth. Left out: what stands in comments and other strings (`type("image/avif")`
 * among them), and URLs that a preprocessor computes.
 * @param takes which URLs are wanted. Default: those that can name a file of the project
 */
export function findInDeclaration(value: string, takes: TakesUrl = mayNameFile): Reference[] {
  return findOnlyUrl(value, takes) ?? findInStylesheet(value, { takes })
}

/**
 * The URLs of a whole stylesheet, as `findInDeclaration` finds them, but for those of `@import`, `@charset` and
 * `@namespace`. Broken text and preprocessors' text are taken for what can be made of them; never throws.
 */
export function findInStylesheet(css: string, options: StylesheetOptions = {}): Reference[] {
  if (!/url|image-set|\\/i.test(css)) return []
  const syntax = options.syntax ?? 'css'
  const isIndented = syntax === 'sass' || syntax === 'stylus'
  const finder = new CssFinder(css, isIndented, options.takes ?? mayNameFile)
  for (const token of tokenizeCss(css, syntax)) finder.read(token)
  return finder.references
}

/**
 * The value with each URL replaced by the one that `replace` gives, escaped as its place needs it; URLs it answers
 * `undefined` for, and all other text, stay as they are.
 */
export function rewriteDeclaration(value: string, replace: (reference: Reference) => string | undefined): string {
  return replaceReferences(value, findInDeclaration(value), replace)
}

/**
 * A value with one `url()`, and nothing else that tokens would have to tell apart: no other bracket or string, no
 * escape, and a space or comma before the name. It is tried at one place, and backtracks over no more than the text
 * before the name.
 */
const ONLY_URL =
  /^(?:[^"'()\\{}@;]*[ \t\r\n\f,])?url\([ \t\r\n\f]*(?:"([^"\\\r\n\f]*)"|'([^'\\\r\n\f]*)'|([^"'()\\{}\0-\x20\x7f]*))[ \t\r\n\f]*\)[^"'()\\{}@;]*$/i

/** Finds what is in the usual value without tokens, which take many times as long; `undefined` for any other. */
function findOnlyUrl(value: string, takes: TakesUrl): Reference[] | undefined {
  const found = value.includes('/*') ? null : ONLY_URL.exec(value)
  if (found === null) return undefined
  const quote = found[1] !== undefined ? '"' : found[2] !== undefined ? "'" : undefined
  const raw = found[1] ?? found[2] ?? found[3]!
  const url = normalizeUrl(raw)
  if (!takes(url) || isVariable(raw, quote)) return []
  const start = value.indexOf(quote ?? raw, value.indexOf('(') + 1) + (quote === undefined ? 0 : 1)
  const encode = (given: string): string =>
    given === url ? raw : quote === undefined ? encodeCssUrl(given) : encodeCssString(given, quote)
  return [{ kind: 'css-url', url, start, end: start + raw.length, encode }]
}

/** Tells whether a preprocessor has a value for it. */
const isVariable = (raw: string, quote: '"' | "'" | undefined): boolean =>
  quote === undefined && /^[$@][\w-]+$/.test(raw)

const IMAGE_SETS = new Set(['image-set', '-webkit-image-set'])
const AT_RULES_WITHOUT_IMAGES = new Set(['import', 'charset', 'namespace'])
const NOTHING_BEFORE: CssToken = { type: 'delimiter', value: ';' }

class CssFinder {
  readonly references: Reference[] = []
  readonly #css: string
  readonly #isIndented: boolean
  readonly #takes: TakesUrl
  /** The open brackets: names of functions, `(`, and `{` of interpolations. */
  readonly #open: string[] = []
  #previous: CssToken = NOTHING_BEFORE
  #inSkippedRule = false
  /** A string that is a URL unless an operator follows. */
  #pending: Reference | undefined

  constructor(css: string, isIndented: boolean, takes: TakesUrl) {
    this.#css = css
    this.#isIndented = isIndented
    this.#takes = takes
  }

  read(token: CssToken): void {
    if (token.type === 'newline') {
      if (this.#isIndented) this.#inSkippedRule = false
      return
    }
    this.#settlePending(token)
    if (token.type === 'delimiter') this.#readDelimiter(token.value)
    else if (token.type === 'function') this.#readFunction(token.name)
    else if (token.type === 'interpolation') this.#open.push('{')
    else if (token.type === 'at-keyword') this.#inSkippedRule ||= AT_RULES_WITHOUT_IMAGES.has(token.name)
    else if (token.type === 'url') this.#readUrl(token.start, token.end)
    else if (token.type === 'string' && token.closed) this.#readString(token.start, token.end, token.quote)
    this.#previous = token
  }

  #readFunction(name: string): void {
    const candidate = this.references.at(-1)
    // `image-set(url(a.png) type("image/png"))`
    if (name === 'type' && candidate?.kind === 'css-image-set') candidate.declaresType = true
    this.#open.push(name)
  }

  #readDelimiter(value: string): void {
    if (value === '(') this.#open.push('(')
    else if (value === ')') this.#open.pop()
    else if (value === ';' || value === '{' || value === '}') {
      const interpolation = value === '}' ? this.#open.lastIndexOf('{') : -1
      // The end of a declaration or a prelude closes what was left open, so that one error does not affect the rest.
      this.#open.length = Math.max(interpolation, 0)
      if (interpolation === -1) this.#inSkippedRule = false
    }
  }

  /** A string followed by an operator is computed by a preprocessor: `url("a" + $b)`. */
  #settlePending(next: CssToken): void {
    if (this.#pending === undefined) return
    const endsOrGoesOn =
      next.type === 'delimiter'
        ? next.value === ')' || next.value === ','
        : next.type === 'word' || next.type === 'function'
    if (endsOrGoesOn) this.references.push(this.#pending)
    this.#pending = undefined
  }

  #readUrl(start: number, end: number): void {
    const raw = this.#css.slice(start, end)
    const url = normalizeUrl(decodeCss(raw))
    if (this.#inSkippedRule || isVariable(raw, undefined) || !this.#takes(url)) return
    const kind = IMAGE_SETS.has(this.#open.at(-1) ?? '') ? 'css-image-set' : 'css-url'
    this.references.push({
      kind,
      url,
      start,
      end,
      encode: (given) => (given === url ? raw : encodeCssUrl(given)),
    })
  }

  #readString(start: number, end: number, quote: '"' | "'"): void {
    const raw = this.#css.slice(start, end)
    const url = normalizeUrl(decodeCss(raw))
    const kind = this.#stringKind()
    if (this.#inSkippedRule || kind === undefined || !this.#takes(url)) return
    this.#pending = {
      kind,
      url,
      start,
      end,
      encode: (given) => (given === url ? raw : encodeCssString(given, quote)),
    }
  }

  /** Holds what a string at this place stands for, if for a URL. */
  #stringKind(): 'css-url' | 'css-image-set' | undefined {
    const [inner, outer] = [this.#open.at(-1) ?? '', this.#open.at(-2) ?? '']
    const isFirst = this.#previous.type === 'function'
    if (inner === 'url' && isFirst) return IMAGE_SETS.has(outer) ? 'css-image-set' : 'css-url'
    const followsComma = this.#previous.type === 'delimiter' && this.#previous.value === ','
    return IMAGE_SETS.has(inner) && (isFirst || followsComma) ? 'css-image-set' : undefined
  }
}
