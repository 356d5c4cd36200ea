import { commentBehind, commentsAbove } from '../script/comments.ts'
import { removeLines } from '../script/edits.ts'
import type { Edit } from '../script/edits.ts'
import { closerOf, commentsIn, isPunctuator } from '../script/tokens.ts'
import type { Piece, Stretch } from '../script/tokens.ts'

/** A property with a list. */
export interface List {
  readonly key: string
  /** Indexes of the key and of the brackets. */
  readonly at: number
  readonly open: number
  readonly close: number
}

/** Every `key: [ … ]`. */
export function listsOf(tokens: readonly Piece[]): readonly List[] {
  return tokens.flatMap(({ value }, at) => {
    const close =
      isPunctuator(tokens[at + 1], ':') && isPunctuator(tokens[at + 2], '[') ? closerOf(tokens, at + 2) : undefined
    return close === undefined ? [] : [{ key: value, at, open: at + 2, close }]
  })
}

/** The edits that take an item out of its list, and the comments that it takes along. */
export interface Removal {
  readonly edits: readonly Edit[]
  readonly comments: readonly string[]
}

/** Takes an item out of a list, with the comma behind it, or else the one before it. @param close of the list */
export function takeOut(code: string, tokens: readonly Piece[], close: number, { from, to }: Stretch): Removal {
  const hasComma = to < close
  const start = tokens[from]!.start
  const end = tokens[hasComma ? to : to - 1]!.end
  const all = commentsIn(code)
  const above = commentsAbove(code, all, start)
  const behind = commentBehind(code, all, end)
  const comments = [...above, ...(behind === undefined ? [] : [behind])].map(({ value }) => value)
  const item = removeLines(code, above[0]?.start ?? start, behind?.end ?? end)
  const before = tokens[from - 1]!
  if (hasComma || !isPunctuator(before, ',')) return { edits: [item], comments }
  // A comment behind that comma is one on the item before.
  const isBare = code.slice(before.end, above[0]?.start ?? start).trim() === ''
  const comma = { start: before.start, end: before.end, text: '' }
  return { edits: isBare ? [{ ...comma, end: behind?.end ?? end }] : [comma, item], comments }
}
