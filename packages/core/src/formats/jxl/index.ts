import type { CodecFor, Unsupported } from '../../encoding/codec.ts'
import { encodeJpegXl, encodePlainJxl, MOST_ENCODED_PIXELS } from './encode.ts'
import { readJxlHeader } from './header.ts'
import { decodeJxl, releaseLargeJxlMemory } from './libjxl.ts'
import { jxlHasCredentials, readJxl, stripJxl, writeJxl } from './metadata.ts'

/** Pixels that libjxl can decode: it addresses 2 GiB of memory, and a pixel takes up to 84 bytes. */
const MOST_DECODED_PIXELS = 24_000_000

/** The orientation is a field of the codestream, which decoders always apply, whatever EXIF says. */
export const jxl: CodecFor<'jxl'> = {
  probe(source) {
    const header = readJxlHeader(source)
    return header && { ...header, frames: header.animated ? 2 : 1 }
  },
  unsupported: unsupportedJxl,
  // JPEG XL stores small drawings in as few bytes.
  mostTightPixels: 1_000_000,
  decode: decodeJxl,
  release: releaseLargeJxlMemory,
  encode: encodeJpegXl,
  encodePlain: encodePlainJxl,
  encodeLossless: async ({ picture }) => [await encodePlainJxl(picture, { quality: 99, effort: 7, lossless: true })],
  mostPixels: MOST_ENCODED_PIXELS,
  extras: (source) => ({ pictures: 0, hasCredentials: jxlHasCredentials(source) }),
  readMetadata: readJxl,
  writeMetadata: writeJxl,
  stripMetadata: stripJxl,
}

function unsupportedJxl(source: Uint8Array): Unsupported | undefined {
  const header = readJxlHeader(source)
  if (header === undefined) return undefined
  // The decoder would give its first frame.
  if (header.animated) return passedThrough('animated JPEG XL image')
  // The decoder leaves the black ink out.
  if (header.cmyk) return passedThrough('JPEG XL image in CMYK')
  if (header.width * header.height <= MOST_DECODED_PIXELS) return undefined
  return passedThrough(`JPEG XL image of more than ${MOST_DECODED_PIXELS / 1_000_000} megapixels`)
}

function passedThrough(name: string): Unsupported {
  const article = /^[aeiou]/.test(name) ? 'an' : 'a'
  const kind = `${article} ${name}`
  return { kind, note: `${kind.replace('a', 'A')} is passed through as it is.` }
}
