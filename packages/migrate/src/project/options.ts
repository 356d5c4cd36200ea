import type { CallComments, Comments } from '../script/comments.ts'
import { indentComment } from '../script/comments.ts'
import type { Remark } from '../script/edits.ts'
import type { Tool } from '../tools/tool.ts'
import type { Call } from './call.ts'

/** Characters of a line beyond which options are written one below the other. */
const LINE = 100

/** One option of pixpress as text, with the comments that the author gave it. */
export interface Option extends Comments {
  readonly text: string
}

/** The options of a call, and comments that belong to none of them. */
export interface Options {
  readonly options: readonly Option[]
  readonly loose: readonly string[]
  /** True if the last of options that stand one below the other has a comma too. */
  readonly endsInComma: boolean
}

/** The name of an option. */
export const nameOf = ({ text }: Option): string => text.split(':')[0]!

/** The options of a call of pixpress as they are written. */
export const writtenOptions = ({ entries, comments, endsInComma }: Call): Options => ({
  options: entries.map(({ key, start, value }) => ({
    text: value.text === key ? key : `${key}: ${value.text}`,
    ...commentsAt(comments, start),
  })),
  loose: comments.loose,
  endsInComma,
})

const commentsAt = ({ of }: CallComments, start: number): Comments => of.get(start) ?? { above: [] }

/** The options of pixpress that say what the options of a tool's call do. */
export function mapOptions(
  { entries, comments, endsInComma }: Call,
  { options, added = [] }: Tool,
  endpoint: string | undefined,
): Options & { leftOut: readonly Remark[]; byHand: Remark[] } {
  const taken: Option[] = added.map((text) => ({ text, above: [] }))
  const engine: string[] = []
  const engineComments: string[] = []
  const leftOut: Remark[] = []
  const byHand: Remark[] = []
  for (const { key, start, value } of entries) {
    const rule = Object.hasOwn(options, key) ? options[key] : undefined
    const answer = rule?.(value) ?? { hand: 'this option is not known' }
    const own = commentsAt(comments, start)
    if ('take' in answer) taken.push({ text: answer.take, ...own })
    else if ('hand' in answer) byHand.push({ at: start, text: `'${key}': ${answer.hand}` })
    else if ('leave' in answer) leftOut.push({ at: start, text: `'${key}': ${answer.leave}` })
    else if (endpoint === undefined)
      leftOut.push({ at: start, text: `'${key}': images are done on this machine; '--endpoint URL' keeps a service` })
    else {
      engine.push(answer.engine)
      engineComments.push(...own.above, ...(own.behind === undefined ? [] : [own.behind]))
    }
  }
  if (engine.length > 0)
    taken.push({ text: `engine: { endpoint: '${endpoint}', ${engine.join(', ')} }`, above: engineComments })
  const twice = taken.map(nameOf).find((each, index, all) => all.indexOf(each) !== index)
  if (twice !== undefined) {
    const text = `two options become '${twice}': keep one of them, and run the command again`
    byHand.push({ at: entries[0]!.start, text })
  }
  return { options: taken, loose: comments.loose, endsInComma, leftOut, byHand }
}

/** The argument of a call: nothing, options on one line, or one below the other. */
export function writeOptions({ options, loose, endsInComma }: Options, indent: string): string {
  const hasComments = loose.length > 0 || options.some(({ above, behind }) => above.length > 0 || behind !== undefined)
  if (options.length === 0 && !hasComments) return ''
  const line = `{ ${options.map(({ text }) => text).join(', ')} }`
  if (!hasComments && indent.length + line.length < LINE && !line.includes('\n')) return line
  const inner = `${indent}${indent.includes('\t') ? '\t' : '  '}`
  const written = options.flatMap(({ text, above, behind }, at) => [
    ...above.map((each) => indentComment(each, inner)),
    `${text}${at < options.length - 1 || endsInComma ? ',' : ''}${behind === undefined ? '' : ` ${behind}`}`,
  ])
  const lines = [...written, ...loose.map((each) => indentComment(each, inner))]
  return `{\n${lines.map((each) => `${inner}${each}\n`).join('')}${indent}}`
}
