/**
 * A scanner for the small part of XML that XMP packets use. It knows no document types: a declaration of one ends the
 * scan, so there are no entities to expand and nothing to fetch. It runs once over the text, in linear time.
 */
export type XmlToken =
  | { kind: 'open'; name: string; attributes: readonly (readonly [name: string, value: string])[]; empty: boolean }
  | { kind: 'close' }
  | { kind: 'text'; text: string }

const TAG_NAME = /<(\/?)([^\s<>/="'&!?]+)/y
const ATTRIBUTE = /\s+([^\s<>/="'&]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const TAG_END = /\s*(\/?)>/y
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));|&/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Yields what comes up to the end, or up to the first thing that is not well formed. Text is raw: see `unescapeXml`.
 */
export function* scanXml(text: string): Generator<XmlToken, void, void> {
  let at = 0
  for (;;) {
    const tag = text.indexOf('<', at)
    if (tag < 0) return
    if (tag > at) yield { kind: 'text', text: text.slice(at, tag) }
    const skipped = endOfSkipped(text, tag)
    if (skipped !== undefined) {
      if (skipped < 0) return
      at = skipped
    } else if (text.startsWith('<![CDATA[', tag)) {
      const end = text.indexOf(']]>', tag)
      if (end < 0) return
      yield { kind: 'text', text: escapeXml(text.slice(tag + 9, end)) }
      at = end + 3
    } else {
      const name = matchAt(TAG_NAME, text, tag)
      if (name === null) return
      const attributes: (readonly [string, string])[] = []
      at = TAG_NAME.lastIndex
      for (let match = matchAt(ATTRIBUTE, text, at); match !== null; match = matchAt(ATTRIBUTE, text, at)) {
        attributes.push([match[1] ?? '', match[2] ?? match[3] ?? ''])
        at = ATTRIBUTE.lastIndex
      }
      const end = matchAt(TAG_END, text, at)
      if (end === null) return
      at = TAG_END.lastIndex
      if (name[1] === '/') yield { kind: 'close' }
      else yield { kind: 'open', name: name[2] ?? '', attributes, empty: end[1] === '/' }
    }
  }
}

/** Where a comment or processing instruction ends; -1 when it does not; `undefined` when there is none here. */
function endOfSkipped(text: string, at: number): number | undefined {
  const closing = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : undefined
  if (closing === undefined) return undefined
  const end = text.indexOf(closing, at + 2)
  return end < 0 ? -1 : end + closing.length
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Resolves XML's five named references and numeric ones. `undefined` when there is any other. */
export function unescapeXml(text: string): string | undefined {
  let known = true
  const plain = text.replace(REFERENCE, (_, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? ''
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
    const valid = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    known &&= valid
    return valid ? String.fromCodePoint(code) : ''
  })
  return known ? plain : undefined
}

/**
 * Returns the text as it may stand in an attribute in double quotes. Line ends are kept from being normalised to
 * spaces.
 */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.codePointAt(0)};`)
}
