/** What an image costs besides its pixels, in pixels: reading, starting, writing. */
const FIXED = 50_000

/** Pixels that a byte stands for where the header does not tell: about those of a JPEG of high quality. */
const PIXELS_PER_BYTE = 4

/** Bytes of a file's beginning that are enough: EXIF and profiles stand before the size of a JPEG. */
export const HEAD_BYTES: number = 65_536

/**
 * How much work an image is, next to others, for the time that is left: time goes by pixels far more than by bytes. Looked up in the header,
 * wherever formats have their size; a guess does no harm.
 * @param head the file's beginning
 * @param bytes of the whole file
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

/** RFC 9649 section 2.5 to 2.7. */
function webpSize(head: Buffer): readonly [number, number] {
  if (has(head, 12, 'VP8X')) return [head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1]
  if (has(head, 12, 'VP8L')) {
    const bits = head.readUInt32LE(21)
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
  }
  return [head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff]
}

/** The frame header (ITU-T T.81 B.2.2) behind all other segments. */
function jpegPixels(head: Buffer): number | undefined {
  for (let at = 2; at + 9 <= head.length && head[at] === 0xff; at += 2 + head.readUInt16BE(at + 2)) {
    const marker = head[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return head.readUInt16BE(at + 5) * head.readUInt16BE(at + 7)
  }
  return undefined
}
