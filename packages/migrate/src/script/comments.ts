import type { Entry } from './literals.ts'
import { startsLine } from './edits.ts'
import type { Piece } from './tokens.ts'

/** The comments of one option, as they are written. */
export interface Comments {
  /** Those before it, from the top. */
  readonly above: readonly string[]
  /** The one that ends its line. */
  readonly behind?: string
}

/** The comments within a call. */
export interface CallComments {
  /** Comments of the option that starts at this offset. */
  readonly of: ReadonlyMap<number, Comments>
  /** Those that belong to no option. */
  readonly loose: readonly string[]
}

/** Gives the comments between two offsets to the options that stand there. Those inside of a value are part of it. */
export function commentsOfEntries(
  code: string,
  comments: readonly Piece[],
  { start, end, entries }: { start: number; end: number; entries: readonly Entry[] },
): CallComments {
  const of = new Map<number, Comments>()
  const loose: string[] = []
  for (const comment of comments) {
    if (comment.start < start || comment.end > end || entries.some((entry) => isInside(entry, comment))) continue
    const before = entries.find((entry) => isBehind(code, entry, comment))
    const next = entries.find(({ value }) => comment.start < value.start)
    const owner = before ?? next
    if (owner === undefined) {
      loose.push(comment.value)
      continue
    }
    const { above, behind } = of.get(owner.start) ?? { above: [] }
    if (before === undefined) of.set(owner.start, { above: [...above, comment.value], ...(behind && { behind }) })
    else of.set(owner.start, { above, behind: comment.value })
  }
  return { of, loose }
}

const endOf = ({ value }: Entry): number => value.start + value.text.length

const isInside = (entry: Entry, { start, end }: Piece): boolean => start >= entry.value.start && end <= endOf(entry)

/** A comment behind the comma is one on the option before only where it ends the line. */
function isBehind(code: string, entry: Entry, { start, end }: Piece): boolean {
  const between = code.slice(endOf(entry), start)
  if (start < endOf(entry) || !/^[ \t]*,?[ \t]*$/.test(between)) return false
  return !between.includes(',') || /^[ \t]*(?:\r?\n|\}|$)/.test(code.slice(end))
}

/** The comments on lines of their own right above an offset, if that starts its line. */
export function commentsAbove(code: string, comments: readonly Piece[], offset: number): readonly Piece[] {
  const found: Piece[] = []
  let top = offset
  for (const comment of comments.toReversed()) {
    if (comment.end > top) continue
    const isNext = /^[ \t]*\r?\n[ \t]*$/.test(code.slice(comment.end, top))
    if (!isNext || !startsLine(code, comment.start)) break
    found.unshift(comment)
    top = comment.start
  }
  return found
}

/** The comment that ends the line of an offset, with nothing between. */
export const commentBehind = (code: string, comments: readonly Piece[], offset: number): Piece | undefined =>
  comments.find(
    ({ start, end }) =>
      start >= offset && /^[ \t]*$/.test(code.slice(offset, start)) && /^[ \t]*(?:\r?\n|$)/.test(code.slice(end)),
  )

/** A comment for a place of another indent. */
export const indentComment = (comment: string, indent: string): string =>
  comment
    .split('\n')
    .map((line, at) => (at > 0 && /^\s*\*/.test(line) ? `${indent} ${line.trimStart()}` : line))
    .join('\n')

/** Code with comments before it: on lines of their own where it starts one, else on its own line. */
export function underComments(comments: readonly string[], text: string, indent: string | undefined): string {
  if (indent !== undefined) return [...comments.map((each) => indentComment(each, indent)), text].join(`\n${indent}`)
  const inline = comments.map((each) =>
    each.startsWith('//') ? `/* ${each.slice(2).trim().replaceAll('*/', '* /')} */` : each,
  )
  return [...inline, text].join(' ')
}
