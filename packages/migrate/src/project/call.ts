import { commentsIn, closerOf, isPunctuator, partsOf } from '../script/tokens.ts'
import type { Piece, Stretch } from '../script/tokens.ts'
import { commentsOfEntries } from '../script/comments.ts'
import type { CallComments } from '../script/comments.ts'
import type { Import } from '../script/imports.ts'
import { readEntries } from '../script/literals.ts'
import type { Entry } from '../script/literals.ts'

/** A call with its `new`, by UTF-16 offsets, and where its first token is. */
export interface Call {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
  readonly entries: readonly Entry[]
  readonly comments: CallComments
  /** True if an option that ends a line has a comma also where it is the last. */
  readonly endsInComma: boolean
}

/** The one call of what an import names; else where it is named in another way. */
export function onlyCall(code: string, tokens: readonly Piece[], only: Import): { call: Call } | { at: number } {
  const uses = tokens.flatMap(({ value, start, end }, index) =>
    value === only.local && !isPunctuator(tokens[index - 1], '.') && !(start >= only.start && end <= only.end)
      ? [index]
      : [],
  )
  const call = uses[0] === undefined ? undefined : callAt(code, tokens, uses[0])
  // Its own options may name it: `implementation: ImageMinimizerPlugin.sharpMinify`.
  const outside = uses.filter((index) => call === undefined || index < call.from || index >= call.to)
  if (call !== undefined && outside.length === 0) return { call }
  return { at: tokens[outside[1] ?? outside[0] ?? -1]?.start ?? only.start }
}

/** `name()`, `name({ … })`, either with `new`. */
function callAt(code: string, tokens: readonly Piece[], at: number): Call | undefined {
  const close = isPunctuator(tokens[at + 1], '(') ? closerOf(tokens, at + 1) : undefined
  if (close === undefined) return undefined
  const from = tokens[at - 1]?.value === 'new' ? at - 1 : at
  const [argument, ...others] = partsOf(tokens, at + 1, close)
  const entries = argument === undefined ? [] : readEntries(code, tokens, argument)
  if (others.length > 0 || entries === undefined) return undefined
  const range = { start: tokens[from]!.start, end: tokens[close]!.end, entries }
  const comments = commentsOfEntries(code, commentsIn(code), range)
  return { ...range, from, to: close + 1, comments, endsInComma: endsInComma(code, tokens, argument) }
}

/** Tells the author's way by the options themselves, and by the rest of the file where these stand on one line. */
function endsInComma(code: string, tokens: readonly Piece[], argument: Stretch | undefined): boolean {
  const [last, close] = argument === undefined ? [] : tokens.slice(argument.to - 2, argument.to)
  if (last !== undefined && close !== undefined && code.slice(last.end, close.start).includes('\n'))
    return isPunctuator(last, ',')
  return /,[ \t]*\r?\n\s*[}\])]/.test(code) || !/\n\s*[}\]]/.test(code)
}
