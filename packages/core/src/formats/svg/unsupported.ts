import type { Unsupported } from '../../encoding/codec.ts'

/** Bytes beyond which an SVG is left alone: svgo holds the whole tree and its passes are not linear. */
const MAX_SVG_BYTES = 4 * 1024 * 1024

/** Bytes in which the document type is looked for, and characters in which the XML declaration is. */
const DOCTYPE_HEAD = 65_536
const DECLARATION_HEAD = 1024

/** Returns the reason why a drawing is passed through unchanged. */
export function unsupportedSvg(source: Uint8Array): Unsupported | undefined {
  const subject = subjectOf(source)
  return subject === undefined ? undefined : { kind: 'an SVG', note: `${subject} is passed through as it is.` }
}

/** Returns the kind of SVG that is better left alone, as the subject of a sentence. */
function subjectOf(source: Uint8Array): string | undefined {
  if (source.length > MAX_SVG_BYTES) return `An SVG of more than ${MAX_SVG_BYTES} bytes`
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  // svgo expands entities: a few hundred bytes can become gigabytes.
  if (bytes.includes('<!ENTITY')) return 'An SVG that declares entities'
  // Attributes can have defaults there.
  if (/<!DOCTYPE[^>]*\[/i.test(bytes.toString('latin1', 0, DOCTYPE_HEAD))) {
    return 'An SVG that declares a document type of its own'
  }
  const declaration = bytes.toString('latin1', 0, DECLARATION_HEAD)
  const encoding = /^<\?xml\s[^>]*\bencoding\s*=\s*["']([\w-]+)["']/.exec(declaration)?.[1]
  const isOther = encoding !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(encoding)
  return isOther && bytes.some((byte) => byte >= 0x80) ? `An SVG in ${encoding}` : undefined
}
