/** Frames of an animation that are decoded a few at a time: all of them take hundreds of megabytes. */
import sharp from 'sharp'
import { decodeFrames } from './frames.ts'
import type { Frames, Part } from './frames.ts'

/**
 * Bytes of decoded frames that are held at once. Where two animations are compared, each holds so many, so that both
 * stay within 64 MiB.
 */
export const PIECE_BYTES: number = 32 * 2 ** 20

/** The same for long animations of which a piece costs no more than its frames do. */
const SMALL_PIECE_BYTES = 8 * 2 ** 20

/** Bytes of all frames up to which they are held together, and so decoded once. */
const SHORT_BYTES = 16 * 2 ** 20

/** The frames of an animation, of which only some are held. */
export interface FrameSource extends Omit<Frames, 'data'> {
  /**
   * Returns the pixels of a frame, interleaved RGBA of 8 bits, which are valid until another frame is asked for. Frames
   * cost least in their order.
   */
  frame(index: number): Promise<Uint8Array>
  /** The number of frames that are decoded together, from the first on. */
  readonly atOnce: number
  /** The same frames, of which some cost less than all. Default: they are decoded with those around them. */
  readonly apart?: FrameSource
  /** All of them, where they are held anyway. */
  readonly whole?: Frames
}

/** Gives frames that are held anyway. */
export function heldFrames(frames: Frames): FrameSource {
  const { data, ...size } = frames
  const bytes = size.width * size.height * 4
  const frame = (index: number): Promise<Uint8Array> =>
    Promise.resolve(data.subarray(index * bytes, (index + 1) * bytes))
  return { ...size, frame, atOnce: size.count, whole: frames }
}

/** Tells whether the frames of an animation take too much memory to be held together. */
export const isLong = ({ width, height, count }: Omit<Frames, 'data'>): boolean =>
  width * height * 4 * count > SHORT_BYTES

/** Returns the number of frames in a piece, at least one. @param isCheap a piece costs no more than its frames do */
export function framesAtOnce(size: Omit<Frames, 'data'>, isCheap: boolean): number {
  const bytes = isCheap && isLong(size) ? SMALL_PIECE_BYTES : PIECE_BYTES
  return Math.min(size.count, Math.max(1, Math.floor(bytes / (size.width * size.height * 4))))
}

/**
 * Gives frames that are decoded in pieces. An animation of one piece is decoded once, however often it is gone through.
 * @param decode gives interleaved RGBA of 8 bits
 * @param atOnce frames of a piece
 */
export function readInPieces(
  size: Omit<Frames, 'data'>,
  decode: (part: Part) => Promise<Pick<Frames, 'data'>>,
  atOnce: number = framesAtOnce(size, false),
): FrameSource {
  const { width, height, count, delays } = size
  const bytes = width * height * 4
  let held: { readonly page: number; readonly data: Uint8Array } | undefined
  return {
    width,
    height,
    count,
    atOnce,
    ...(delays !== undefined && { delays }),
    async frame(index) {
      const page = index - (index % atOnce)
      if (held?.page !== page) {
        // The piece before must not stand in memory beside the next.
        held = undefined
        const { data } = await decode({ page, pages: Math.min(atOnce, count - page) })
        held = { page, data }
      }
      return held.data.subarray((index - page) * bytes, (index - page + 1) * bytes)
    },
  }
}

/** Opens the frames of a file that sharp reads, with their times. @throws Error where its header cannot be read */
export async function openAnimationFile(data: Uint8Array): Promise<FrameSource> {
  const size = await sizeOfAnimation(data)
  return readInPieces(size, (part) => decodeFrames(sharp(data, { ...part, limitInputPixels: false })))
}

/** Reads the size of an animation, the number of its frames and their times. @throws Error where it cannot be read */
export async function sizeOfAnimation(data: Uint8Array): Promise<Omit<Frames, 'data'>> {
  const header = await sharp(data, { animated: true, failOn: 'error', limitInputPixels: false }).metadata()
  const { width, height, pageHeight = height, pages: count = 1, delay } = header
  return { width, height: pageHeight, count, ...(delay !== undefined && { delays: delay }) }
}

/** Copies some frames into memory, in their order. @param indices all of them by default */
export async function copyFrames(source: FrameSource, indices?: readonly number[]): Promise<Frames> {
  const { width, height } = source
  const bytes = width * height * 4
  const wanted = indices ?? Array.from({ length: source.count }, (_, index) => index)
  const data = Buffer.from(new ArrayBuffer(wanted.length * bytes))
  const { apart = source } = wanted.length < source.count ? source : {}
  for (const [at, index] of wanted.entries()) data.set(await apart.frame(index), at * bytes)
  return { data, width, height, count: wanted.length }
}

/** Holds all frames while something is done with them, and lets go of what was copied for that at once. */
export async function whileHeld<T>(source: FrameSource, use: (frames: Frames) => Promise<T>): Promise<T> {
  if (source.whole !== undefined) return use(source.whole)
  const frames = await copyFrames(source)
  try {
    return await use(frames)
  } finally {
    release(frames.data.buffer as ArrayBuffer)
  }
}

/** Frees memory that would stand beside the next frames until the garbage collector sees to it. */
function release(memory: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  port1.postMessage(memory, [memory])
  port1.close()
}
