/**
 * Animated PNG. Source: PNG Specification, Third Edition, sections 4.8 (concepts), 11.3.6 (acTL, fcTL, fdAT) and
 * 11.3.6.2 (disposal and blending).
 */
import { ascii, concatBytes, uint16, uint32 } from '../../../metadata/bytes.ts'
import { PNG_SIGNATURE, encodePngChunk, pngChunks } from '../../../metadata/png-chunks.ts'
import type { PngChunk } from '../../../metadata/png-chunks.ts'

/** The ways to treat a frame's region before the next frame: leave it, clear it, or restore it. */
export const DISPOSE = { none: 0, background: 1, previous: 2 } as const

/** The ways to put a frame on the canvas: in its place, alpha included, or over it. */
export const BLEND = { source: 0, over: 1 } as const

/** One frame as it is in the file. */
export interface ApngFrame {
  /** Place on the canvas, pixels. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Seconds, as a fraction. */
  readonly delay: readonly [numerator: number, denominator: number]
  readonly dispose: number
  readonly blend: number
  /** Its compressed pixels: the contents of its `IDAT` or `fdAT` chunks in order. */
  readonly pixels: readonly Uint8Array[]
}

/** The structure of an animated PNG. */
export interface Apng {
  /** Pixels of the canvas. */
  readonly width: number
  readonly height: number
  /** Bit depth, colour type, compression, filter and interlace methods: what follows the size in `IHDR`. */
  readonly format: Uint8Array
  /** Chunks that every frame is decoded by (palette, transparency, colour space), whole. */
  readonly shared: Uint8Array
  /** The number of times that it is shown; 0 for ever. */
  readonly plays: number
  readonly frames: readonly ApngFrame[]
}

/** The file's control chunks contradict the specification: the reason, as the end of a sentence. */
export class ApngError extends Error {
  override readonly name = 'ApngError'
}

/** Chunks before the pixels that decide what they look like. */
const SHARED: ReadonlySet<string> = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT'])

type FrameControl = Omit<ApngFrame, 'pixels'>

/** @throws ApngError */
export function readApng(data: Uint8Array): Apng {
  const all = [...pngChunks(data)]
  const header = all[0]
  const control = all.find(({ type }) => type === 'acTL')
  if (header === undefined || control === undefined) throw new ApngError('it has no animation control')
  const body = (chunk: PngChunk): Uint8Array => data.subarray(chunk.content, chunk.contentEnd)
  const [width, height] = [uint32(body(header), 0), uint32(body(header), 4)]
  if (all.filter(({ type }) => type === 'acTL').length > 1) throw new ApngError('it has two animation controls')
  if (body(control).length !== 8) throw new ApngError('its animation control is damaged')

  const frames: ApngFrame[] = []
  const shared: Uint8Array[] = []
  let open: { control: FrameControl; pixels: Uint8Array[] } | undefined
  let sequence = 0
  let isDefaultImageOver = false

  const close = (): void => {
    if (open === undefined) return
    if (open.pixels.length === 0) throw new ApngError('a frame has no pixels')
    frames.push({ ...open.control, pixels: open.pixels })
    open = undefined
  }
  const inOrder = (number: number): void => {
    if (number !== sequence++) throw new ApngError('its frames are out of order')
  }

  for (const chunk of all) {
    const content = body(chunk)
    if (chunk.type === 'fcTL') {
      close()
      if (content.length !== 26) throw new ApngError('a frame control is damaged')
      inOrder(uint32(content, 0))
      open = { control: frameControl(content, width, height, frames.length === 0), pixels: [] }
    } else if (chunk.type === 'IDAT') {
      isDefaultImageOver = true
      // Without a frame control before it, the default image is none of the frames.
      if (frames.length === 0 && open !== undefined) open.pixels.push(content)
    } else if (chunk.type === 'fdAT') {
      if (content.length < 4) throw new ApngError('a frame is damaged')
      inOrder(uint32(content, 0))
      if (open === undefined || !isDefaultImageOver) throw new ApngError('a frame has no control')
      open.pixels.push(content.subarray(4))
    } else if (!isDefaultImageOver && SHARED.has(chunk.type)) {
      shared.push(data.subarray(chunk.start, chunk.end))
    }
  }
  close()
  if (all.at(-1)?.type !== 'IEND') throw new ApngError('it is truncated')
  const promised = uint32(body(control), 0)
  if (promised === 0) throw new ApngError('it has no frames')
  if (frames.length !== promised) throw new ApngError(`it has ${frames.length} frames of ${promised}`)
  return {
    width,
    height,
    format: body(header).subarray(8),
    shared: concatBytes(shared),
    plays: uint32(body(control), 4),
    frames,
  }
}

function frameControl(content: Uint8Array, width: number, height: number, isFirst: boolean): FrameControl {
  const [frameWidth, frameHeight] = [uint32(content, 4), uint32(content, 8)]
  const [left, top] = [uint32(content, 12), uint32(content, 16)]
  const [dispose, blend] = [content[24]!, content[25]!]
  if (frameWidth === 0 || frameHeight === 0 || left + frameWidth > width || top + frameHeight > height) {
    throw new ApngError('a frame is outside the canvas')
  }
  if (dispose > DISPOSE.previous || blend > BLEND.over) throw new ApngError('a frame control is damaged')
  return {
    left,
    top,
    width: frameWidth,
    height: frameHeight,
    delay: [uint16(content, 20), uint16(content, 22)],
    // Before the first frame there is nothing to go back to.
    dispose: isFirst && dispose === DISPOSE.previous ? DISPOSE.background : dispose,
    blend,
  }
}

/** Returns the number of frames that the file says it has, at least 1. */
export function countApngFrames(data: Uint8Array): number {
  for (const { type, content, contentEnd } of pngChunks(data)) {
    if (type === 'acTL' && contentEnd - content >= 4) return Math.max(1, uint32(data, content))
  }
  return 1
}

/** Returns a frame as a PNG file of its own. */
export function frameAsPng({ format, shared }: Pick<Apng, 'format' | 'shared'>, frame: ApngFrame): Uint8Array {
  const size = new Uint8Array(8)
  const view = new DataView(size.buffer)
  view.setUint32(0, frame.width)
  view.setUint32(4, frame.height)
  return concatBytes([
    ascii(PNG_SIGNATURE),
    encodePngChunk('IHDR', [size, format]),
    shared,
    encodePngChunk('IDAT', frame.pixels),
    encodePngChunk('IEND', []),
  ])
}
