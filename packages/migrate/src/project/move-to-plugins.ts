import { commentBehind, commentsAbove, underComments } from '../script/comments.ts'
import { indentAt, removeLines } from '../script/edits.ts'
import type { Edit } from '../script/edits.ts'
import { closerOf, commentsIn, isPunctuator, openerOf, partsOf, stringOf } from '../script/tokens.ts'
import type { Piece, Stretch } from '../script/tokens.ts'
import type { Call } from './call.ts'
import { listsOf, takeOut } from './edit-list.ts'
import type { List, Removal } from './edit-list.ts'

/**
 * Takes the plugin out of `optimization: { minimizer: [ … ] }`, the whole of it where `'...'` is all that is left, and
 * puts ours at the end of the list `plugins` of the same object, or makes one. `undefined` where that is not clear.
 * @param make writes the call of ours for a place of this indent
 */
export function moveToPlugins(
  code: string,
  tokens: readonly Piece[],
  call: Call,
  make: (indent: string) => string,
): readonly Edit[] | undefined {
  const lists = listsOf(tokens).filter(({ at }) => at < call.from || at >= call.to)
  const from = lists.findLast(({ key, open, close }) => key === 'minimizer' && open < call.from && close >= call.to)
  const optimization = from === undefined ? undefined : keyOf(tokens, openerOf(tokens, from.at))
  if (from === undefined || optimization === undefined || tokens[optimization]!.value !== 'optimization')
    return undefined
  const parts = partsOf(tokens, from.open, from.close)
  const own = parts.findIndex((part) => part.from === call.from && part.to === call.to)
  if (own === -1) return undefined
  const rest = parts.filter((_, index) => index !== own)
  // Without '...' there were no minimizers but these, and an empty list keeps it so.
  const isUsual = rest.length > 0 && rest.every((part) => isUsualMinimizers(tokens, part))
  const whole = isUsual ? minimizerOf(tokens, from) : undefined
  const removal = whole === undefined ? takeOut(code, tokens, from.close, call) : removeWhole(code, tokens, whole, call)
  const configuration = openerOf(tokens, optimization)
  const to = lists.find(({ key, at }) => key === 'plugins' && openerOf(tokens, at) === configuration)
  if (to === undefined) {
    const members =
      configuration === undefined ? [] : partsOf(tokens, configuration, closerOf(tokens, configuration) ?? 0)
    const isPlain = members.every((part) => !/^(?:\.\.\.|plugins|\[)$/.test(tokens[part.from]!.value))
    if (!isPlain || members.length === 0) return undefined
    const at = tokens[optimization]!.start
    const list = underComments(removal.comments, `plugins: [${make(indentAt(code, at))}],`, indentAt(code, at))
    if (whole?.from === optimization) return [{ start: at, end: tokens[whole.to - 1]!.end, text: list }]
    return [...removal.edits, { start: at, end: at, text: `${list}\n${indentAt(code, at)}` }]
  }
  return [...removal.edits, addItem(code, tokens, to, { make, comments: removal.comments })]
}

/** Tells whether a call is an item of `plugins: [ … ]`, or of craco's `plugins: { add: [ … ] }`. */
export function isAmongPlugins(tokens: readonly Piece[], { from }: Call): boolean {
  const open = openerOf(tokens, from)
  const list = open === undefined || !isPunctuator(tokens[open], '[') ? undefined : keyOf(tokens, open)
  if (list === undefined) return false
  const owner = tokens[list]!.value === 'add' ? keyOf(tokens, openerOf(tokens, list)) : list
  return owner !== undefined && tokens[owner]!.value === 'plugins'
}

/** Adds an item to the end of a list. */
function addItem(
  code: string,
  tokens: readonly Piece[],
  { open, close }: List,
  { make, comments }: { make: (indent: string) => string; comments: readonly string[] },
): Edit {
  const last = partsOf(tokens, open, close).at(-1)
  const behind = last === undefined ? tokens[open]!.end : tokens[last.to - 1]!.end
  const isBelow = last !== undefined && code.slice(tokens[open]!.end, tokens[last.from]!.start).includes('\n')
  const indent = indentAt(code, isBelow ? tokens[last.from]!.start : tokens[open]!.start)
  const before = isBelow ? `,\n${indent}` : last === undefined ? '' : ', '
  const item = underComments(comments, make(indent), isBelow ? indent : undefined)
  return { start: behind, end: behind, text: before + item }
}

/** Removes the list around the plugin, and keeps the plugin's comments. */
function removeWhole(code: string, tokens: readonly Piece[], { from, to }: Stretch, call: Call): Removal {
  const all = commentsIn(code)
  const end = isPunctuator(tokens[call.to], ',') ? tokens[call.to]!.end : call.end
  const behind = commentBehind(code, all, end)
  return {
    edits: [removeLines(code, tokens[from]!.start, tokens[to - 1]!.end)],
    comments: [...commentsAbove(code, all, call.start), ...(behind ? [behind] : [])].map(({ value }) => value),
  }
}

/** The key whose value the object or list at `open` is. */
const keyOf = (tokens: readonly Piece[], open: number | undefined): number | undefined =>
  open !== undefined && isPunctuator(tokens[open - 1], ':') ? open - 2 : undefined

/** `'...'` */
const isUsualMinimizers = (tokens: readonly Piece[], { from, to }: Stretch): boolean =>
  to - from === 1 && stringOf(tokens[from]!) === '...'

/** The property `minimizer` with its comma, or `optimization` around it where it holds nothing else. */
function minimizerOf(tokens: readonly Piece[], { at, close }: List): Stretch {
  const behind = isPunctuator(tokens[close + 1], ',') ? close + 2 : close + 1
  const isAlone = isPunctuator(tokens[at - 1], '{') && isPunctuator(tokens[behind], '}')
  if (!isAlone) return { from: at, to: behind }
  return { from: at - 3, to: isPunctuator(tokens[behind + 1], ',') ? behind + 2 : behind + 1 }
}
