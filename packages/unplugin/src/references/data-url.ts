import { detectType } from '@pixpress/core'
import { isImageType } from '@pixpress/core/internal'

/** The head of a data URL with a raster image in base64 (RFC 2397, as browsers read it). */
export const PICTURE_HEAD: RegExp = /^data:image\/(?!svg)[\w.+-]+(?:; *[\w=.-]+)*; *base64,/i

/** Tells whether a text may hold such a URL, in a form that bundlers can filter by. */
export const MAY_HOLD_PICTURE: RegExp = /data:image\/[\w.+-]+[^,]{0,100};\s*base64,/i

/** Blanks and line ends, also percent-encoded, which decoders of base64 skip. */
const BLANKS = /\s|%(?:0[9acd]|20)/gi
const ESCAPED = /%(?:2B|2F|3D)/gi
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** A raster image that stands in a data URL. */
export interface PictureUrl {
  /** All that comes before the base64, as it is written. */
  readonly head: string
  readonly data: Uint8Array
}

/** Tells whether a URL is the data URL of a raster image, by what it says of itself. */
export const isPictureUrl = (url: string): boolean => PICTURE_HEAD.test(url)

/**
 * Reads the picture of a data URL; `undefined` where there is none, its base64 is broken, or its bytes are no image.
 * The type that the URL says need not be the image's: browsers go by the bytes.
 */
export function readPictureUrl(url: string): PictureUrl | undefined {
  const head = PICTURE_HEAD.exec(url)?.[0]
  if (head === undefined) return undefined
  const base64 = url.slice(head.length).replace(BLANKS, '').replace(ESCAPED, decodeURIComponent)
  // A remainder of one character decodes in Node, and in no browser.
  if (!BASE64.test(base64) || base64.replace(/=+$/, '').length % 4 === 1) return undefined
  const data = Buffer.from(base64, 'base64')
  const type = detectType(data)
  return type !== undefined && (isImageType(type) || type === 'image/gif') ? { head, data } : undefined
}

/** The data URL with other bytes. */
export const writePictureUrl = ({ head }: Pick<PictureUrl, 'head'>, data: Uint8Array): string =>
  head + Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
