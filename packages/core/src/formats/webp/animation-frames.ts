/**
 * The frames of an animated WebP, one decoded after the other: libvips decodes all frames before those that are asked
 * for, so that pieces of a long animation would be decoded again and again. Source: RFC 9649 sections 2.3 and 2.7.
 */
import sharp from 'sharp'
import { composeInPieces } from '../../encoding/frame-composer.ts'
import type { Painter } from '../../encoding/frame-composer.ts'
import type { FrameSource } from '../../encoding/frame-source.ts'
import { ALPHA_BITS, isClear, pixelWords } from '../../encoding/frames.ts'
import { ascii, asciiAt, concatBytes, hasAscii, littleEndian32, uint32 } from '../../metadata/bytes.ts'

/** Bit of the first byte of `VP8X`: some frame has transparent pixels. */
const HAS_ALPHA = 0x10

/** Bits of a frame's last byte before its chunks. */
const KEEPS_NOTHING = 1
const REPLACES = 2

/** Bytes of an `ANMF` before its chunks, and of the header of a chunk. */
const FRAME_HEADER = 16
const CHUNK_HEADER = 8

/**
 * The byte of a lossless bitstream whose bit tells whether alpha is used. It is a hint that should not change what is
 * decoded (section 3.4), but decoders of stills leave alpha out without it.
 */
const LOSSLESS_FLAGS_AT = 4
const LOSSLESS_ALPHA = 0x10

interface Chunk {
  readonly type: string
  readonly data: Uint8Array
  /** Header, data and padding. */
  readonly whole: Uint8Array
}

/** A frame as it is stored. */
interface StoredFrame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Its place is cleared before the next frame. */
  readonly isRemoved: boolean
  /** It is put in its place, not over what is there. */
  readonly replaces: boolean
  readonly hasAlpha: boolean
  readonly chunks: Uint8Array
}

interface Stored {
  readonly width: number
  readonly height: number
  readonly frames: readonly StoredFrame[]
}

/**
 * Opens the frames of an animated WebP.
 * @param otherwise the same frames by libvips, for files that are damaged or whose colours are to be converted
 */
export function openWebpFrames(data: Uint8Array, otherwise: FrameSource): FrameSource {
  const stored = readStored(data)
  const { width, height, count, delays } = otherwise
  if (stored?.width !== width || stored.height !== height || stored.frames.length !== count) return otherwise
  return composeInPieces({ width, height, count, ...(delays && { delays }) }, () => painterOf(stored))
}

/** Reads the frames of a file without faults whose colours need no conversion; `undefined` of any other. */
function readStored(data: Uint8Array): Stored | undefined {
  const chunks = hasAscii(data, 0, 'RIFF') && hasAscii(data, 8, 'WEBP') ? chunksOf(data.subarray(12)) : undefined
  const [header] = chunks ?? []
  if (chunks === undefined || header?.type !== 'VP8X' || header.data.length < 10) return undefined
  if (chunks.some(({ type }) => type === 'ICCP')) return undefined
  const hasAlpha = (header.data[0]! & HAS_ALPHA) !== 0
  const [width, height] = [1 + uint24(header.data, 4), 1 + uint24(header.data, 7)]
  const frames: StoredFrame[] = []
  for (const chunk of chunks) {
    if (chunk.type !== 'ANMF') continue
    const frame = frameOf(chunk.data, hasAlpha)
    if (frame === undefined || (frame.hasAlpha && !hasAlpha)) return undefined
    if (frame.left + frame.width > width || frame.top + frame.height > height) return undefined
    // The first one has nothing to be put over.
    frames.push(frames.length === 0 ? { ...frame, replaces: true } : frame)
  }
  return frames.length === 0 ? undefined : { width, height, frames }
}

/** @param mayHaveAlpha some frame of the file has transparent pixels */
function frameOf(data: Uint8Array, mayHaveAlpha: boolean): StoredFrame | undefined {
  const chunks = data.length < FRAME_HEADER ? undefined : chunksOf(data.subarray(FRAME_HEADER))
  const pixels = chunks?.find(({ type }) => type === 'VP8 ' || type === 'VP8L')
  if (chunks === undefined || pixels === undefined) return undefined
  const alpha = chunks.find(({ type }) => type === 'ALPH')
  const [width, height] = [1 + uint24(data, 6), 1 + uint24(data, 9)]
  const flags = data[15]!
  const isLossless = pixels.type === 'VP8L'
  const usesAlpha = isLossless && (mayHaveAlpha || (pixels.data[LOSSLESS_FLAGS_AT]! & LOSSLESS_ALPHA) !== 0)
  return {
    left: 2 * uint24(data, 0),
    top: 2 * uint24(data, 3),
    width,
    height,
    isRemoved: (flags & KEEPS_NOTHING) !== 0,
    replaces: (flags & REPLACES) !== 0,
    hasAlpha: alpha !== undefined || usesAlpha,
    chunks:
      alpha !== undefined
        ? concatBytes([extended(width, height), alpha.whole, pixels.whole])
        : usesAlpha
          ? withAlphaHint(pixels.whole)
          : pixels.whole,
  }
}

/** Returns a lossless chunk that says that alpha is used. */
function withAlphaHint(chunk: Uint8Array): Uint8Array {
  const hinted = Uint8Array.from(chunk)
  hinted[CHUNK_HEADER + LOSSLESS_FLAGS_AT]! |= LOSSLESS_ALPHA
  return hinted
}

/** Returns the chunks that fill the bytes; `undefined` where they do not. */
function chunksOf(data: Uint8Array): Chunk[] | undefined {
  const chunks: Chunk[] = []
  for (let at = 0; at < data.length;) {
    if (at + CHUNK_HEADER > data.length) return undefined
    const end = at + CHUNK_HEADER + uint32(data, at + 4, true)
    const next = end + ((end - at) % 2)
    if (next > data.length) return undefined
    const type = asciiAt(data, at, 4)
    chunks.push({ type, data: data.subarray(at + CHUNK_HEADER, end), whole: data.subarray(at, next) })
    at = next
  }
  return chunks
}

const uint24 = (data: Uint8Array, at: number): number => data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16)

/** Returns the chunk that announces the transparency of a lossy still. */
function extended(width: number, height: number): Uint8Array {
  const size = [width - 1, height - 1].flatMap((side) => [side & 255, (side >> 8) & 255, side >> 16])
  return concatBytes([ascii('VP8X'), littleEndian32(10), Uint8Array.of(HAS_ALPHA, 0, 0, 0, ...size)])
}

function painterOf({ width, height, frames }: Stored): Painter {
  return {
    async draw(canvas, index) {
      const last = frames[index - 1]
      if (last?.isRemoved === true) clear(canvas, width, last)
      const frame = frames[index]!
      put(canvas, width, { frame, pixels: pixelWords(await decoded(frame)) })
    },
    isWhole(index) {
      const { replaces, hasAlpha, ...size } = frames[index]!
      return (replaces || !hasAlpha) && size.width === width && size.height === height
    },
  }
}

function decoded({ chunks }: StoredFrame): Promise<Uint8Array> {
  const still = concatBytes([ascii('RIFF'), littleEndian32(4 + chunks.length), ascii('WEBP'), chunks])
  const opened = sharp(still, { failOn: 'error', limitInputPixels: false })
  return opened.toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' }).toBuffer()
}

function clear(canvas: Uint32Array, stride: number, { left, top, width, height }: StoredFrame): void {
  for (let y = top; y < top + height; y++) canvas.fill(0, y * stride + left, y * stride + left + width)
}

function put(
  canvas: Uint32Array,
  stride: number,
  { frame, pixels }: { frame: StoredFrame; pixels: Uint32Array },
): void {
  const { left, top, width, height, replaces, hasAlpha } = frame
  for (let y = 0; y < height; y++) {
    const to = (top + y) * stride + left
    const line = pixels.subarray(y * width, (y + 1) * width)
    if (replaces || !hasAlpha) canvas.set(line, to)
    else for (let x = 0; x < width; x++) canvas[to + x] = blended(line[x]!, canvas[to + x]!)
  }
}

/** Blends as libwebp and libvips do, so that no pixel differs from theirs. */
function blended(over: number, under: number): number {
  if ((over & ALPHA_BITS) === ALPHA_BITS) return over
  if (isClear(over)) return under
  BLEND.over[0] = over
  BLEND.under[0] = under
  const [above, below] = [BLEND.overBytes, BLEND.underBytes]
  const alpha = above[3]!
  const rest = (below[3]! * (255 - alpha) + 127) >> 8
  const whole = alpha + rest
  const scale = Math.floor((1 << 24) / whole)
  for (let channel = 0; channel < 3; channel++) {
    above[channel] = Math.floor(((above[channel]! * alpha + below[channel]! * rest) * scale + (1 << 12)) / (1 << 24))
  }
  above[3] = whole
  return BLEND.over[0]!
}

const over = new Uint32Array(1)
const under = new Uint32Array(1)

/** Two pixels on their way to one. */
const BLEND = { over, under, overBytes: new Uint8Array(over.buffer), underBytes: new Uint8Array(under.buffer) }
