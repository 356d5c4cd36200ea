import jsTokens, { type JSXToken, type Token } from 'js-tokens'

/** Follows a script token by token. */
export interface TokenReader {
  /** @param offset UTF-16 offset of the token in the script */
  read(token: Token | JSXToken, offset: number): void
}

/**
 * Reads JavaScript, TypeScript, JSX or TSX with a reader of its own, and gives the reader; `undefined` for a script
 * that cannot be read. Type arguments of TypeScript look like JSX, so a script may be read twice, each time by a new
 * reader. Never throws, whatever the code.
 */
export function readScript<Reader extends TokenReader>(code: string, make: () => Reader): Reader | undefined {
  try {
    const asJsx = code.includes('<') ? readTokens(code, make(), true) : undefined
    return asJsx?.isBalanced ? asJsx.reader : readTokens(code, make(), false).reader
  } catch (error) {
    // A literal of tens of megabytes that is mostly escapes exhausts the stack of the regular expression engine.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface Reading<Reader> {
  readonly reader: Reader
  /**
   * Tells whether the JSX elements that were opened were closed. Type arguments of TypeScript, taken for JSX, are not.
   */
  readonly isBalanced: boolean
}

function readTokens<Reader extends TokenReader>(code: string, reader: Reader, jsx: boolean): Reading<Reader> {
  const elements = new JsxElementCounter()
  let offset = 0
  for (const token of jsx ? jsTokens(code, { jsx: true }) : jsTokens(code)) {
    reader.read(token, offset)
    elements.read(token)
    offset += token.value.length
  }
  return { reader, isBalanced: elements.isBalanced }
}

/** Tells whether a token is this name or this punctuation, outside of strings and JSX's text. */
export function isCode(token: Token | JSXToken, value: string): boolean {
  return token.value === value && (token.type === 'IdentifierName' || token.type === 'Punctuator')
}

/** Counts JSX elements that are open: `<a>` opens one, `</a>` closes one, `<a/>` does neither. */
class JsxElementCounter {
  #open = 0
  #isSound = true
  #previous = ''

  get isBalanced(): boolean {
    return this.#isSound && this.#open === 0
  }

  read(token: Token | JSXToken): void {
    if (token.type === 'WhiteSpace' || token.type === 'LineTerminatorSequence') return
    if (token.type === 'JSXInvalid') this.#isSound = false
    if (token.type === 'JSXPunctuator') {
      if (token.value === '<') this.#open += 1
      else if (token.value === '/') this.#open -= this.#previous === '<' ? 2 : 1
    }
    this.#previous = token.type === 'JSXPunctuator' ? token.value : ''
  }
}
