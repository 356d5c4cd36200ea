// The alternatives from the last but one on are escapes that strict code refuses, and single characters.
const ESCAPE = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|[\n\r\u2028\u2029])|([^]))/g

const SINGLE: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '0': '\0' }

/**
 * The value of a string literal or of a template without substitutions, given what stands between its quotes;
 * `undefined` where a module may not have the escapes it has (https://tc39.es/ecma262/#sec-literals-string-literals).
 */
export function decodeJsString(raw: string): string | undefined {
  if (!raw.includes('\\')) return raw
  let value = ''
  let end = 0
  for (const match of raw.matchAll(ESCAPE)) {
    const decoded = decodeEscape(match, raw)
    if (decoded === undefined) return undefined
    value += raw.slice(end, match.index) + decoded
    end = match.index + match[0].length
  }
  return value + raw.slice(end)
}

/** Decodes one escape; `undefined` for one that a module may not have. */
function decodeEscape(match: RegExpExecArray, raw: string): string | undefined {
  const [, codePoint, unicode, hex, lineBreak, character] = match
  if (lineBreak !== undefined) return ''
  if (character === undefined) {
    const code = Number.parseInt(codePoint ?? unicode ?? hex ?? '', 16)
    return code <= 0x10_ffff ? String.fromCodePoint(code) : undefined
  }
  const isOctal = /\d/.test(character) && (character !== '0' || /\d/.test(raw[match.index + 2] ?? ''))
  if (isOctal || character === 'u' || character === 'x') return undefined
  return SINGLE[character] ?? character
}

/**
 * Gives what stands between the quotes of a literal of the value. `</` is escaped, so that no `</script>` can arise.
 */
export function encodeJsString(value: string, quote: '"' | "'" | '`'): string {
  return value.replace(/["'`\\\n\r\u2028\u2029]|\$(?=\{)|<\//g, (text) => {
    if (text === '</') return '<\\/'
    if (text === '\n') return '\\n'
    if (text === '\r') return '\\r'
    if (text === '\u2028') return '\\u2028'
    if (text === '\u2029') return '\\u2029'
    const isOrdinary = (text === '$' && quote !== '`') || (/["'`]/.test(text) && text !== quote)
    return isOrdinary ? text : `\\${text}`
  })
}
