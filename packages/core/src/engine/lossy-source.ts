import { asciiAt, uint32 } from '../metadata/bytes.ts'
import type { InputType } from '../types.ts'

/** `IHDR`'s colour type, where it stands in every PNG, and its value for a palette (PNG Specification, section 11.2.1). */
const PNG_COLOUR_TYPE = 25
const PALETTE = 3

/** Bytes below which few colours may be stored without a palette, which takes more than it spares. */
const TINY = 2048

/** Whether a PNG may have few colours because somebody chose them: it has a palette, or hardly had room for one. */
export function hasChosenColours(png: Uint8Array): boolean {
  return png[PNG_COLOUR_TYPE] === PALETTE || png.length < TINY
}

/**
 * Whether a still image's own encoding is a lossy one, by its type, and in WebP by its chunks (RFC 9649 section 2.3: `VP8 `
 * is lossy, `VP8L` lossless). A PNG is taken for it where its colours may be chosen ones.
 */
export function isLossy(source: Uint8Array, type: InputType): boolean {
  if (type === 'image/png') return hasChosenColours(source)
  if (type !== 'image/webp') return type === 'image/jpeg' || type === 'image/avif'
  for (let at = 12; at + 8 <= source.length;) {
    const name = asciiAt(source, at, 4)
    if (name === 'VP8 ') return true
    if (name === 'VP8L') return false
    // A frame of an animation: its own chunks stand behind 16 bytes of place and time (section 2.7.1.1).
    if (name === 'ANMF' && isLossyFrame(source.subarray(at + 24, at + 8 + uint32(source, at + 4, true)))) return true
    const size = uint32(source, at + 4, true)
    at += 8 + size + (size % 2)
  }
  return false
}

function isLossyFrame(frame: Uint8Array): boolean {
  const first = asciiAt(frame, 0, 4)
  // Only lossy frames keep their transparency apart.
  return first === 'VP8 ' || first === 'ALPH'
}
