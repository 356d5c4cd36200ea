import type { CodecFor, Header } from '../../encoding/codec.ts'
import { decodeBmp } from './decode.ts'
import { readBmpHeader } from './header.ts'

/** The codec of BMP, which sharp does not read. */
export const bmp: CodecFor<'bmp'> = {
  probe: probeBmp,
  claimedSize(source) {
    const header = readBmpHeader(source)
    return header === undefined || 'other' in header ? undefined : header
  },
  unsupported(source) {
    const header = readBmpHeader(source)
    if (header === undefined || !('other' in header)) return undefined
    return { kind: `a BMP ${header.other}`, note: `A BMP ${header.other} is passed through as it is.` }
  },
  decode: decodeBmp,
  profile(source) {
    const header = readBmpHeader(source)
    return header === undefined || 'other' in header ? undefined : header.profile
  },
}

function probeBmp(source: Uint8Array): Header | undefined {
  const header = readBmpHeader(source)
  if (header === undefined) return undefined
  // Its size is not known, and nothing is done with it.
  if ('other' in header) return { width: 0, height: 0, hasAlpha: false, frames: 1, depth: 8 }
  const { width, height, masks } = header
  return { width, height, hasAlpha: masks[3] !== 0, frames: 1, depth: 8 }
}
