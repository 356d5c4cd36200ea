/** A stretch of a text that is replaced, by UTF-16 offsets. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Something to tell a person, at an offset of a text. */
export interface Remark {
  readonly at: number
  readonly text: string
}

/** The text with its edits made, which must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((edited, { start, end, text: by }) => edited.slice(0, start) + by + edited.slice(end), text)
}

/** The number of the line of an offset, from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** White space before the first character of the line of an offset. */
export const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset)))![0]

/** Where the line of an offset starts. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** True if only white space stands before an offset on its line. */
export const startsLine = (text: string, offset: number): boolean =>
  text.slice(lineStart(text, offset), offset).trim() === ''

/** A removal, with the line break where nothing else stands on its lines. */
export function removeLines(text: string, start: number, end: number): Edit {
  const lineEnd = text.indexOf('\n', end)
  const isAlone = startsLine(text, start) && lineEnd !== -1 && text.slice(end, lineEnd).trim() === ''
  return isAlone ? { start: lineStart(text, start), end: lineEnd + 1, text: '' } : { start, end, text: '' }
}

/** One line that goes or comes. */
export interface ChangedLine {
  /** From 1, of the text it is in. */
  readonly line: number
  readonly sign: '-' | '+'
  readonly text: string
}

/** Returns the lines in which two texts differ, in order, by a longest common subsequence. */
export function changedLines(before: string, after: string): readonly ChangedLine[] {
  const [old, made] = [before.split('\n'), after.split('\n')]
  let top = 0
  while (top < old.length && top < made.length && old[top] === made[top]) top++
  let bottom = 0
  const room = Math.min(old.length, made.length) - top
  while (bottom < room && old.at(-1 - bottom) === made.at(-1 - bottom)) bottom++
  const a = old.slice(top, old.length - bottom)
  const b = made.slice(top, made.length - bottom)
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const changes: ChangedLine[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++
      j++
    } else if (i < a.length && (j === b.length || common[i + 1]![j]! >= common[i]![j + 1]!)) {
      changes.push({ line: top + 1 + i, sign: '-', text: a[i]! })
      i++
    } else {
      changes.push({ line: top + 1 + j, sign: '+', text: b[j]! })
      j++
    }
  }
  return changes
}
