/** Cost of an image apart from its pixels, expressed in pixels: reading, starting and writing. */
const FIXED = 50_000

/** Pixels per byte, for files whose header has no size that is read here: about those of a high-quality JPEG. */
const PIXELS_PER_BYTE = 4

/** Bytes at the beginning of a file that hold its size: EXIF and colour profiles precede the size of a JPEG. */
export const HEAD_BYTES: number = 65_536

/**
 * Estimates the work on an image, relative to the others, for the time that is left. The unit is pixels, because time
 * depends on pixels far more than on bytes. The size is read from the header; a wrong guess only makes the estimate
 * worse.
 * @param head the beginning of the file
 * @param bytes size of the whole file
 */
export function weightOf(head: Uint8Array, bytes: number): number {
  const view = Buffer.from(head.buffer, head.byteOffset, head.length)
  const pixels = SIZES.find(({ starts }) => starts(view))?.pixels(view)
  return FIXED + (pixels === undefined || !(pixels > 0) ? bytes * PIXELS_PER_BYTE : pixels)
}

interface SizeReader {
  starts(head: Buffer): boolean
  pixels(head: Buffer): number | undefined
}

const has = (head: Buffer, at: number, text: string): boolean => head.toString('latin1', at, at + text.length) === text

const SIZES: readonly SizeReader[] = [
  {
    starts: (head) => has(head, 1, 'PNG'),
    pixels: (head) => product(head, 24, () => [head.readUInt32BE(16), head.readUInt32BE(20)]),
  },
  {
    starts: (head) => has(head, 0, 'GIF8'),
    pixels: (head) => product(head, 10, () => [head.readUInt16LE(6), head.readUInt16LE(8)]),
  },
  { starts: (head) => has(head, 8, 'WEBP'), pixels: (head) => product(head, 30, () => webpSize(head)) },
  { starts: (head) => head[0] === 0xff && head[1] === 0xd8, pixels: jpegPixels },
  {
    starts: (head) => has(head, 4, 'ftyp'),
    pixels(head) {
      const at = head.indexOf('ispe', 0, 'latin1')
      return at === -1
        ? undefined
        : product(head, at + 16, () => [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)])
    },
  },
]

function product(head: Buffer, least: number, read: () => readonly [number, number]): number | undefined {
  if (head.length < least) return undefined
  const [width, height] = read()
  return width * height
}

/** Reads the size as RFC 9649, sections 2.5 to 2.7, defines it. */
function webpSize(head: Buffer): readonly [number, number] {
  if (has(head, 12, 'VP8X')) return [head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1]
  if (has(head, 12, 'VP8L')) {
    const bits = head.readUInt32LE(21)
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
  }
  return [head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff]
}

/** Finds the frame header (ITU-T T.81 B.2.2), which follows all other segments. */
function jpegPixels(head: Buffer): number | undefined {
  for (let at = 2; at + 9 <= head.length && head[at] === 0xff; at += 2 + head.readUInt16BE(at + 2)) {
    const marker = head[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return head.readUInt16BE(at + 5) * head.readUInt16BE(at + 7)
  }
  return undefined
}
