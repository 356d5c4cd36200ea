/** The size in a WebP's header. Sources: RFC 9649 sections 2.7 (`VP8X`) and 3.4 (`VP8L`); RFC 6386 section 9.1. */
import { asciiAt, hasAscii, uint16, uint32 } from '../../metadata/bytes.ts'
import type { Size } from '../../resample/size.ts'

/** Where the first chunk is, and its content. */
const [CHUNK, CONTENT] = [12, 20] as const

/** Returns the size of the canvas, or of the only frame; `undefined` where neither comes first. */
export function claimedWebpSize(source: Uint8Array): Size | undefined {
  if (!hasAscii(source, 8, 'WEBP')) return undefined
  switch (asciiAt(source, CHUNK, 4)) {
    case 'VP8X':
      return { width: uint24(source, CONTENT + 4) + 1, height: uint24(source, CONTENT + 7) + 1 }
    case 'VP8L': {
      const sides = uint32(source, CONTENT + 1, true)
      return { width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      // Two bits of each side tell how it is to be scaled, which no decoder does.
      return { width: uint16(source, CONTENT + 6, true) & 0x3fff, height: uint16(source, CONTENT + 8, true) & 0x3fff }
    default:
      return undefined
  }
}

const uint24 = (data: Uint8Array, at: number): number => uint16(data, at, true) + (data[at + 2] ?? 0) * 0x10000
