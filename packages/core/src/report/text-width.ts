/**
 * Text in which every character takes one column: printable ASCII, and the two other characters that the report writes.
 */
const PLAIN = /^[\x20-\x7e…→]*$/

/** Halfwidth forms of scripts that otherwise take two columns (Unicode Standard Annex #11). */
const HALFWIDTH = /^[\uff61-\uffdc\uffe8-\uffee]/

/**
 * Scripts, punctuation, fullwidth forms and emoji that take two columns (classes W and F of Unicode Standard Annex
 * #11).
 */
const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Bopomofo}|\p{Script=Yi}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u

/** Created for the first name that needs it: this takes several milliseconds, and most builds have only plain names. */
let segmenter: Intl.Segmenter | undefined

/** Returns the number of columns that text without control characters takes on a terminal. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  return graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0)
}

/** Pads text with spaces on the right to a number of columns. */
export function padRight(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

/** Pads text with spaces on the left to a number of columns. */
export function padLeft(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text
}

/**
 * Shortens text to at most `width` columns (1 or more) by replacing its middle with `…`. The end keeps more columns
 * than the start, because a path ends with its file name.
 */
export function shortenMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  const room = width - 1
  const characters = graphemes(text)
  const tail = fitting(characters.toReversed(), Math.ceil(room * 0.6))
    .toReversed()
    .join('')
  const head = fitting(characters, room - textWidth(tail)).join('')
  return `${head}…${tail}`
}

/** Columns of a name below which it tells nothing, so that what follows it is cut as well. */
const LEAST_NAME = 6

/**
 * Shortens a path to at most `width` columns. Its end has the file's name: the folders go first, from the left, and
 * then the middle of the name.
 * @param label text behind the path, which stays whole where it has room
 */
export function shortenPath(path: string, width: number, label = ''): string {
  const room = width - textWidth(label)
  if (textWidth(path) <= room) return path + label
  const parts = path.split('/')
  for (let at = 1; at < parts.length; at++) {
    const short = `…/${parts.slice(at).join('/')}`
    if (textWidth(short) <= room) return short + label
  }
  const name = parts.at(-1)!
  return room < LEAST_NAME ? shortenMiddle(name + label, width) : shortenMiddle(name, room) + label
}

/** Breaks text at spaces into lines of at most `width` columns (2 or more); words longer than a line are cut. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (textWidth(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = cut(word, width)
    line = pieces.pop() ?? ''
    lines.push(...pieces)
  }
  return line === '' ? lines : [...lines, line]
}

function cut(word: string, width: number): string[] {
  const pieces: string[] = []
  for (let rest = graphemes(word); rest.length > 0;) {
    const piece = fitting(rest, width)
    pieces.push(piece.join(''))
    rest = rest.slice(piece.length)
  }
  return pieces
}

/** Returns the longest run of graphemes from the start that fits into the width. */
function fitting(characters: readonly string[], width: number): string[] {
  let used = 0
  const end = characters.findIndex((character) => (used += graphemeWidth(character)) > width)
  return end === -1 ? [...characters] : characters.slice(0, end)
}

function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function graphemeWidth(grapheme: string): number {
  return WIDE.test(grapheme) && !HALFWIDTH.test(grapheme) ? 2 : 1
}
