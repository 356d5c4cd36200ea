const ESCAPE = /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[\r\n\f])|([^])|$)/gi

/** Resolves the escapes of a CSS string, URL or identifier (https://www.w3.org/TR/css-syntax-3/#consume-escaped-code-point). */
export function decodeCss(raw: string): string {
  if (!raw.includes('\\')) return raw
  return raw.replace(ESCAPE, (_, hex?: string, lineBreak?: string, character?: string) =>
    hex === undefined ? (lineBreak === undefined ? (character ?? '') : '') : fromCodePoint(Number.parseInt(hex, 16)),
  )
}

function fromCodePoint(code: number): string {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff
  return code === 0 || code > 0x10_ffff || isSurrogate ? '\uFFFD' : String.fromCodePoint(code)
}

/**
 * The inside of a CSS string between quotes of the given type. `<` is escaped as well, so that no `</style>` can arise.
 */
export function encodeCssString(value: string, quote: '"' | "'"): string {
  return value.replace(/["'\\<\p{Cc}]/gu, (character) => {
    if (character === '\\' || character === quote) return `\\${character}`
    if (character === '"' || character === "'") return character
    return `\\${character.charCodeAt(0).toString(16)} `
  })
}

/** The inside of `url()` that stood there without quotes: with quotes where the URL has characters that need them. */
export function encodeCssUrl(value: string): string {
  return /["'()\\<\s\p{Cc}]/u.test(value) ? `"${encodeCssString(value, '"')}"` : value
}
