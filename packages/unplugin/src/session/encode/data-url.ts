import path from 'node:path'
import { typeOfExtension } from '@pixpress/core/internal'
import type { FinishedImage } from '../plan/images.ts'

/**
 * The bytes of an image as a `data:` URL: percent-encoded text for SVG, which is shorter there, base64 for all else.
 */
export function toDataUrl(image: FinishedImage): string {
  const { data } = image
  const mime = mimeType(image)
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const text = mime === 'image/svg+xml' ? bytes.toString('utf8') : undefined
  // An SVG in UTF-16, say, would be corrupted as text.
  const isText = text !== undefined && Buffer.from(text).equals(bytes)
  return isText ? `data:${mime},${encodeSvg(text)}` : `data:${mime};base64,${bytes.toString('base64')}`
}

/** The MIME type to serve an image with. For bytes that are not understood, the name's extension decides. */
export function mimeType({ type, name }: FinishedImage): string {
  return type === 'application/octet-stream' ? (typeOfExtension(path.extname(name).slice(1)) ?? type) : type
}

/**
 * Escapes what a URL may not hold, and what would end the string, `url()`, attribute or `srcset` candidate that it is
 * put into. Some of the rest stays readable, which also compresses better.
 */
function encodeSvg(svg: string): string {
  return encodeURIComponent(svg)
    .replace(/%(?:2F|3A|3B|3D|40|24|2B)/g, decodeURIComponent)
    .replace(/['()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}
