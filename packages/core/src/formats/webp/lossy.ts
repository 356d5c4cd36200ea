import { asciiAt, uint32 } from '../../metadata/bytes.ts'

/**
 * Tells whether a WebP file was encoded lossily, by its chunks (RFC 9649 section 2.3): `VP8 ` is lossy, `VP8L`
 * lossless.
 */
export function isLossyWebp(source: Uint8Array): boolean {
  for (let at = 12; at + 8 <= source.length;) {
    const name = asciiAt(source, at, 4)
    if (name === 'VP8 ') return true
    if (name === 'VP8L') return false
    // A frame of an animation: its own chunks follow 16 bytes of place and time (section 2.7.1.1).
    if (name === 'ANMF' && isLossyFrame(source.subarray(at + 24, at + 8 + uint32(source, at + 4, true)))) return true
    const size = uint32(source, at + 4, true)
    at += 8 + size + (size % 2)
  }
  return false
}

function isLossyFrame(frame: Uint8Array): boolean {
  const first = asciiAt(frame, 0, 4)
  // Only lossy frames store their transparency in a chunk of its own.
  return first === 'VP8 ' || first === 'ALPH'
}
