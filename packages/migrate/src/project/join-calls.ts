import { underComments } from '../script/comments.ts'
import { indentAt, removeLines, startsLine } from '../script/edits.ts'
import type { Edit, Remark } from '../script/edits.ts'
import type { Import } from '../script/imports.ts'
import { closerOf, isPunctuator, openerOf, partsOf } from '../script/tokens.ts'
import type { Piece } from '../script/tokens.ts'
import { onlyCall } from './call.ts'
import type { Call } from './call.ts'
import { takeOut } from './edit-list.ts'
import { nameOf, writeOptions, writtenOptions } from './options.ts'
import type { Option, Options } from './options.ts'

/**
 * Adds the options to the call of pixpress that a file has already, and takes the other plugin out: a file that used
 * two plugins has one in the end.
 */
export function joinCalls(
  code: string,
  tokens: readonly Piece[],
  { only, call, ours }: { only: Import; call: Call; ours: Import },
  theirs: Options,
): { edits: readonly Edit[] } | { byHand: readonly Remark[] } {
  const own = ours.imported === 'default' ? onlyCall(code, tokens, ours) : { at: ours.start }
  if ('at' in own)
    return { byHand: [{ at: own.at, text: 'pixpress() is not called once with its options written out' }] }
  const open = openerOf(tokens, call.from)
  const close = open === undefined || !isPunctuator(tokens[open], '[') ? undefined : closerOf(tokens, open)
  const isItem =
    close !== undefined && partsOf(tokens, open!, close).some(({ from, to }) => from === call.from && to === call.to)
  if (!isItem)
    return { byHand: [{ at: call.start, text: 'it is no item of a list: take it out, pixpress() is there already' }] }
  const before = writtenOptions(own.call)
  const why = contradiction(before.options, theirs.options)
  if (why !== undefined) return { byHand: [{ at: call.start, text: why }] }
  const made = writeCall(code, own.call, ours.local!, joined(before, theirs))
  const { edits, comments } = takeOut(code, tokens, close, call)
  const { start, end } = own.call
  const text = underComments(comments, made, startsLine(code, start) ? indentAt(code, start) : undefined)
  const isSame = text === code.slice(start, end)
  return { edits: [removeLines(code, only.start, only.end), ...(isSame ? [] : [{ start, end, text }]), ...edits] }
}

/** Calls stay as they were laid out where nothing comes to them. */
function writeCall(code: string, call: Call, name: string, options: Options): string {
  const before = writtenOptions(call)
  const isSame = JSON.stringify(options) === JSON.stringify(before)
  return isSame ? code.slice(call.start, call.end) : `${name}(${writeOptions(options, indentAt(code, call.start))})`
}

/** Options of both, and those that both have once, with the comments of either. */
function joined(ours: Options, theirs: Options): Options {
  const both = ours.options.map((option) => {
    const twin = theirs.options.find(({ text }) => text === option.text)
    const isBare = option.above.length === 0 && option.behind === undefined
    return isBare && twin !== undefined ? { ...twin } : option
  })
  const added = theirs.options.filter(({ text }) => both.every((option) => option.text !== text))
  return { ...ours, options: [...both, ...added], loose: [...ours.loose, ...theirs.loose] }
}

/** Says why two calls do not become one, and what a person does about it. */
function contradiction(ours: readonly Option[], theirs: readonly Option[]): string | undefined {
  const twice = theirs.find((each) =>
    ours.some((option) => nameOf(option) === nameOf(each) && option.text !== each.text),
  )
  if (twice !== undefined) {
    const said = `'${twice.text}' stands against what pixpress() has already`
    return `${said}: keep one of the two in pixpress(), delete it here, and run the command again`
  }
  const filter = oneSidedFilter(ours, theirs)
  if (filter === undefined) return undefined
  const said = `'${nameOf(filter)}' would hold for the images of both plugins, whose calls become one`
  return `${said}: write '${filter.text}' into both if that is meant, else delete it, and run the command again`
}

/** A filter that one of two calls has alone: joined, it would leave out images that the other took. */
const oneSidedFilter = (a: readonly Option[], b: readonly Option[]): Option | undefined =>
  ['include', 'exclude'].flatMap((key) => {
    const found = [a, b].map((options) => options.find((option) => nameOf(option) === key))
    const isOneSided = (found[0] === undefined) !== (found[1] === undefined)
    return isOneSided ? [(found[0] ?? found[1])!] : []
  })[0]
