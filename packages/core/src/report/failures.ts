import type picocolors from 'picocolors'
import type { ErrorCode } from '../base/errors.ts'
import type { ReportFailure } from './json.ts'
import type { TableStyle } from './terminal.ts'
import { shortenMiddle, textWidth, wrapText } from './text-width.ts'
import { visibleText } from '../base/visible-text.ts'

/** Maximum number of files that each group shows. */
const MAX_FILES = 40

const INDENT = '  '

/** Codes of damaged files, which alone are called broken. */
const BROKEN: readonly ErrorCode[] = ['DECODE_FAILED', 'INPUT_MISSING']

/** Tells whether the file of a failure is damaged, rather than left as it is for another reason. */
export const isBroken = ({ code }: { readonly code: ErrorCode }): boolean => BROKEN.includes(code)

/** Groups of failures by error code, with the heading of each. The last group takes all codes that no other names. */
const GROUPS: readonly (readonly [codes: readonly ErrorCode[], heading: (count: string) => string])[] = [
  [BROKEN, (count) => `${count} broken image kept as is`],
  [['UNSUPPORTED_TYPE'], (count) => `${count} file of a type that is not read`],
  [['BELOW_PROMISE', 'UNSUPPORTED_OPERATION', 'BACKGROUND_REQUIRED'], (count) => `${count} image left as it is`],
  [['TIMEOUT', 'INPUT_TOO_LARGE'], (count) => `${count} image beyond a limit`],
  [['IO_FAILED'], (count) => `${count} file that cannot be read or written`],
  [[], (count) => `${count} image that failed`],
]

/**
 * Renders the failures of a report in groups; only damaged files are called broken. A message that several files share
 * is printed once, below their names. With `full`, each message has its error code.
 */
export function failureLines(
  failures: readonly ReportFailure[],
  { width, full }: Pick<TableStyle, 'width' | 'full'>,
  { dim, yellow }: Pick<ReturnType<typeof picocolors.createColors>, 'dim' | 'yellow'>,
): string[] {
  return GROUPS.flatMap(([codes, heading], at) => {
    const isLast = at === GROUPS.length - 1
    const own = failures.filter(({ code }) => (isLast ? !isGrouped(code) : codes.includes(code)))
    if (own.length === 0) return []
    return [
      ...titleOf(inNumber(heading(String(own.length)), own.length)).map((line) => yellow(line)),
      ...filesOf(own, full ? Infinity : MAX_FILES).flatMap(linesOf),
    ]
  })

  function titleOf(text: string): string[] {
    const line = `pixpress${INDENT}${text}`
    if (textWidth(line) <= width) return [line]
    return ['pixpress', ...wrapText(text, width - INDENT.length).map((each) => INDENT + each)]
  }

  function linesOf({ names, sentence, hidden }: Shared): string[] {
    const files = names.map((name) => INDENT + shortenMiddle(visibleText(name), width - INDENT.length))
    const more = hidden > 0 ? [dim(`${INDENT}… and ${hidden} more`)] : []
    const nested = INDENT + INDENT
    const text = wrapText(visibleText(sentence.replace(/\s+/g, ' ')), width - nested.length)
    return [...files, ...more, ...text.map((line) => dim(nested + line))]
  }

  function filesOf(own: readonly ReportFailure[], most: number): Shared[] {
    const groups = new Map<string, string[]>()
    for (const { source, code, message } of own) {
      const sentence = full ? `${message} (${code})` : message
      groups.set(sentence, [...(groups.get(sentence) ?? []), source])
    }
    let left = most
    return [...groups].flatMap(([sentence, all]) => {
      const names = all.slice(0, Math.max(0, left))
      left -= all.length
      return names.length === 0 ? [] : [{ sentence, names, hidden: all.length - names.length }]
    })
  }
}

interface Shared {
  readonly sentence: string
  readonly names: readonly string[]
  /** Number of files that are not listed. */
  readonly hidden: number
}

const isGrouped = (code: ErrorCode): boolean => GROUPS.some(([codes]) => codes.includes(code))

/** Puts a heading into the plural: `2 image left as it is` becomes `2 images left as they are`. */
function inNumber(heading: string, count: number): string {
  if (count === 1) return heading
  return heading.replace(/ (image|file)\b/, ' $1s').replace('as it is', 'as they are')
}
