/**
 * Everything without a shape of its own: control characters (C0, DEL, C1), format characters (bidirectional overrides,
 * zero-width spaces, tags), line and paragraph separators, and halves of surrogate pairs.
 */
const SHAPELESS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Zero-width (non-)joiners are format characters too, but shape Persian, Indic and emoji file names. */
const JOINERS: ReadonlySet<string> = new Set(['\u200C', '\u200D'])

/**
 * Makes text from outside (file names, error messages) harmless on a terminal: no escape sequence, line break or
 * reordering survives. `\x1b` and `\u202e` are written as such.
 */
export function visibleText(text: string): string {
  return text.replace(SHAPELESS, (character) => {
    if (JOINERS.has(character)) return character
    const code = character.codePointAt(0)!
    if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
    return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
  })
}
