import jsTokens from 'js-tokens'

/** One token of a script, without white space and comments. */
export interface Piece {
  readonly type: string
  readonly value: string
  /** UTF-16 offsets. */
  readonly start: number
  readonly end: number
}

/** A stretch of tokens, by their indexes: the first, and the one behind the last. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

const SKIPPED = /^(?:WhiteSpace|LineTerminatorSequence|SingleLineComment|MultiLineComment|HashbangComment)$/
const COMMENT = /^(?:SingleLineComment|MultiLineComment)$/
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The tokens of JavaScript or TypeScript. Never throws, whatever the code. */
export const tokenize = (code: string): readonly Piece[] => piecesOf(code, (type) => !SKIPPED.test(type))

/** The comments of JavaScript or TypeScript, in order. */
export const commentsIn = (code: string): readonly Piece[] => piecesOf(code, (type) => COMMENT.test(type))

function piecesOf(code: string, isWanted: (type: string) => boolean): readonly Piece[] {
  const pieces: Piece[] = []
  let start = 0
  for (const { type, value } of jsTokens(code)) {
    const end = start + value.length
    if (isWanted(type)) pieces.push({ type, value, start, end })
    start = end
  }
  return pieces
}

/** The index of the bracket that closes the one at `open`; `undefined` where brackets do not pair. */
export function closerOf(tokens: readonly Piece[], open: number): number | undefined {
  const waiting: string[] = []
  for (let at = open; at < tokens.length; at++) {
    const { value, type } = tokens[at]!
    // The pieces of a template hold the brackets of its substitutions.
    if (type === 'TemplateHead') waiting.push('template')
    else if (type === 'TemplateTail') waiting.pop()
    else if (type !== 'Punctuator') continue
    else if (CLOSERS[value] !== undefined) waiting.push(CLOSERS[value])
    else if (value === ')' || value === ']' || value === '}') {
      if (waiting.pop() !== value) return undefined
    }
    if (waiting.length === 0) return at
  }
  return undefined
}

/** The index of the bracket around a token; `undefined` at the top. */
export function openerOf(tokens: readonly Piece[], at: number): number | undefined {
  for (let open = at - 1; open >= 0; open--) {
    const { value, type } = tokens[open]!
    if (type !== 'Punctuator' || CLOSERS[value] === undefined) continue
    const close = closerOf(tokens, open)
    if (close === undefined || close > at) return open
  }
  return undefined
}

/** Splits the tokens between two brackets at the commas of that level. Empty parts are left out. */
export function partsOf(tokens: readonly Piece[], open: number, close: number): readonly Stretch[] {
  const parts: Stretch[] = []
  let from = open + 1
  for (let at = open + 1; at <= close; at++) {
    const { value, type } = tokens[at]!
    if (at === close || (value === ',' && type === 'Punctuator')) {
      if (at > from) parts.push({ from, to: at })
      from = at + 1
    } else if (type === 'TemplateHead' || (type === 'Punctuator' && CLOSERS[value] !== undefined)) {
      at = closerOf(tokens, at) ?? close
    }
  }
  return parts
}

/** The value of a string literal or of a template without substitutions; `undefined` for anything else. */
export function stringOf({ type, value }: Piece): string | undefined {
  const isText = type === 'StringLiteral' || type === 'NoSubstitutionTemplate'
  // Names of packages and paths need no escapes, so these are not read.
  return isText && !value.includes('\\') ? value.slice(1, -1) : undefined
}

/** Narrows a token to a punctuator with this text. */
export const isPunctuator = (piece: Piece | undefined, value: string): boolean =>
  piece?.type === 'Punctuator' && piece.value === value
