/**
 * The mark of our lossy results in WebP. libwebp ends each partition of a `VP8 ` chunk with a byte of zeros behind the
 * last one that decodes to anything (its encoder flushes 9 to 17 bits more than its decoder compares): of 240 pictures
 * all had them, and all were the same when these bytes were 255. Sources: RFC 6386 sections 7, 9.1 and 9.5; RFC 9649
 * section 2.
 */
import { asciiAt, hasAscii, uint16, uint32 } from '../../metadata/bytes.ts'
import type { Mark } from '../../encoding/codec.ts'

/** The last byte of the first partition. The promise is the last byte of the last partition. */
const OURS = 0xb7

/**
 * Bytes in front of the first partition of a key frame: a tag, whose upper 19 bits are its size, and start code, width,
 * height.
 */
export const FRAME_HEADER = 10
const START_CODE = 3

/** Finds the lossy frame of a picture, or the first one of an animation. */
export function lossyFrame(file: Uint8Array): { start: number; end: number } | undefined {
  if (!hasAscii(file, 8, 'WEBP')) return undefined
  for (let at = 12; at + 8 <= file.length;) {
    const size = uint32(file, at + 4, true)
    const type = asciiAt(file, at, 4)
    const [start, end] = [at + 8, at + 8 + size]
    if (end > file.length) return undefined
    if (type === 'VP8 ') return { start, end }
    // A frame's own chunks follow 16 bytes of place and time.
    at = type === 'ANMF' ? start + 16 : end + (size % 2)
  }
  return undefined
}

/** Where the two bytes are. */
function marksOf(file: Uint8Array): readonly [first: number, last: number] | undefined {
  const frame = lossyFrame(file)
  if (frame === undefined || frame.end - frame.start <= FRAME_HEADER) return undefined
  const { start, end } = frame
  const size = (uint16(file, start, true) | (file[start + 2]! << 16)) >> 5
  const first = start + FRAME_HEADER + size - 1
  const isKeyFrame = (file[start]! & 1) === 0 && file[start + START_CODE] === 0x9d
  return isKeyFrame && size > 0 && first < end - 1 ? [first, end - 1] : undefined
}

/** Marks a result in the last bytes of its first and last partition. */
export const WEBP_MARK: Mark = {
  write(data, promise) {
    const places = marksOf(data)
    // Another encoder may have put something there that is decoded.
    if (places === undefined || places.some((at) => data[at] !== 0)) return data
    const marked = data.slice()
    marked[places[0]] = OURS
    marked[places[1]] = promise
    return marked
  },
  read(source) {
    const places = marksOf(source)
    if (places === undefined || source[places[0]] !== OURS) return undefined
    const promise = source[places[1]]!
    return promise >= 1 && promise <= 100 ? promise : undefined
  },
}
