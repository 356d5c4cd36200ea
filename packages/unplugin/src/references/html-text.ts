import { parseFragment } from 'parse5'

/** A stretch of an HTML source and what it means: entities resolved, with the way back to the source. */
export interface EmbeddedText {
  /** Holds what the stretch means. */
  text: string
  /** The UTF-16 offset in the HTML of an offset in `text`. */
  sourceOffset(index: number): number
  /** Writes text so that it means itself in this place. */
  encode(text: string): string
}

/**
 * The value of an attribute.
 *
 * @param start Offset of the first character of the attribute's name.
 * @param end Offset after the attribute, closing quote included.
 */
export function attributeText(html: string, name: string, start: number, end: number): EmbeddedText {
  const opening = /^[\t\n\f\r ]*=?[\t\n\f\r ]*(["']?)/.exec(html.slice(start + name.length, end))!
  const quote = opening[1]!
  const valueStart = start + name.length + opening[0].length
  const decoded = decodeEntities(html.slice(valueStart, end - quote.length), valueStart)
  return { ...decoded, encode: (text) => encodeAttribute(text, quote) }
}

/** Text in which entities mean nothing, such as that of a `style` element of HTML. */
export function rawText(html: string, start: number, end: number): EmbeddedText {
  return { text: html.slice(start, end), sourceOffset: (index) => start + index, encode: (text) => text }
}

/** Text in which entities are resolved, such as that of a `style` element of SVG. */
export function escapedText(html: string, start: number, end: number): EmbeddedText {
  return { ...decodeEntities(html.slice(start, end), start), encode: (text) => encodeAttribute(text, '"') }
}

function encodeAttribute(value: string, quote: string): string {
  const special = quote === '"' ? /[&"<>]/g : quote === "'" ? /[&'<>]/g : /[&"'<>=`\t\n\f\r ]/g
  return value.replace(special, (character) => NAMED[character] ?? `&#${character.charCodeAt(0)};`)
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }

// A decimal, hexadecimal or named reference. In attributes a name counts only as a whole, so that the longest run is
// it.
const CHARACTER_REFERENCE = /&(?:#\d+|#[xX][\da-fA-F]+|[a-zA-Z][a-zA-Z\d]*);?/g

function decodeEntities(raw: string, rawStart: number): Pick<EmbeddedText, 'text' | 'sourceOffset'> {
  if (!raw.includes('&')) return { text: raw, sourceOffset: (index) => rawStart + index }
  const offsets: number[] = []
  let text = ''
  let copied = 0
  const copyTo = (end: number): void => {
    text += raw.slice(copied, end)
    while (copied < end) offsets.push(rawStart + copied++)
  }
  for (const { 0: reference, index } of raw.matchAll(CHARACTER_REFERENCE)) {
    // `&copy=` is the name of a query parameter, not a sign.
    if (!reference.endsWith(';') && raw[index + reference.length] === '=' && !reference.startsWith('&#')) continue
    const decoded = decodeReference(reference)
    copyTo(index)
    text += decoded
    for (let unit = 0; unit < decoded.length; unit++) offsets.push(rawStart + index)
    copied += reference.length
  }
  copyTo(raw.length)
  offsets.push(rawStart + raw.length)
  return { text, sourceOffset: (index) => offsets[index]! }
}

/** One character reference as the value of an attribute; what is none stays as it is. */
function decodeReference(reference: string): string {
  if (reference === '&amp;') return '&'
  const [element] = parseFragment(`<i title="${reference}">`).childNodes
  return element !== undefined && 'attrs' in element ? (element.attrs[0]?.value ?? reference) : reference
}
