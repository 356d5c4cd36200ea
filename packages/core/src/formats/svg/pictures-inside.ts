import { detectType } from '../../base/detect.ts'
import { isImageType } from '../../base/formats.ts'
import type { PictureInside } from '../../encoding/codec.ts'

/** The head of a data URL with a raster image (RFC 2397). */
const HEAD = /data:image\/(?!svg)[\w.+-]+(?:;[\w=.-]+)*;base64,/gi

/** Characters that end a data URL in an attribute, in a style sheet and in text. */
const END = /["'()<>\\]/g

/** Line ends and blanks in base64, also written as references or percent-encoded, which decoders skip. */
const BLANKS = /\s|&#(?:x0*[9ad]|0*(?:9|10|13));|%(?:0[9ad]|20)/gi

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Pictures that are looked for in one document. */
const MOST_PICTURES = 1000

/** Finds the raster images in a drawing that stand in data URLs. A document that is no UTF-8 has none. */
export function picturesInside(source: Uint8Array): readonly PictureInside[] {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  if (!bytes.includes(';base64,')) return []
  // A byte for each character, so that places in the text are places in the file.
  const text = bytes.toString('latin1')
  const found: PictureInside[] = []
  for (const { index, 0: head } of text.matchAll(HEAD)) {
    const start = index + head.length
    END.lastIndex = start
    const end = END.exec(text)?.index ?? text.length
    const data = decoded(text.slice(start, end))
    if (data !== undefined) found.push({ start, end, data })
    if (found.length === MOST_PICTURES) break
  }
  return found
}

function decoded(written: string): Uint8Array | undefined {
  const base64 = written.replaceAll(BLANKS, '')
  if (!BASE64.test(base64)) return undefined
  const data = Buffer.from(base64, 'base64')
  const type = detectType(data)
  return type !== undefined && (isImageType(type) || type === 'image/gif') ? data : undefined
}
