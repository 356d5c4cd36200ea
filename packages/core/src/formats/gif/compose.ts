import sharp from 'sharp'
import type { ComposedAnimation } from '../../encoding/codec.ts'
import type { Frames } from '../../encoding/frames.ts'
import { decodeLzw } from './lzw.ts'
import { DISPOSAL, compressedPixels, leavesClear, readGifFrames } from './read.ts'
import type { Gif, GifFrame } from './read.ts'

/**
 * The first line and the distance of lines of each pass over an interlaced frame (GIF89a specification, appendix E).
 */
const PASSES = [[0, 8], [4, 8], [2, 4], [1, 2]] as const // prettier-ignore

/**
 * Tells whether a GIF has clear pixels although sharp takes it for opaque: clear pixels come from frames that are
 * removed or do not fill the canvas, and sharp looks for a transparent colour alone.
 */
export function isClearUnseen(source: Uint8Array): boolean {
  return needsComposing(readGifFrames(source))
}

function needsComposing(gif: Gif): boolean {
  const { width, height, frames } = gif
  const fits = (frame: GifFrame): boolean => frame.left + frame.width <= width && frame.top + frame.height <= height
  const opaque = frames.filter(({ transparent }) => transparent === undefined)
  const isMistaken = opaque.length === frames.length || opaque.some(({ disposal }) => disposal === DISPOSAL.background)
  return frames.length > 1 && isMistaken && frames.every(fits) && leavesClear(gif)
}

/**
 * Composes the frames of an animation as browsers show them, where sharp would fill clear places with a colour.
 * @throws Error when the pixels of a frame cannot be decoded
 */
export async function composeGif(source: Uint8Array): Promise<ComposedAnimation | undefined> {
  const gif = readGifFrames(source)
  if (!needsComposing(gif)) return undefined
  const { delay = [], loop = 0 } = await sharp(source, { animated: true, limitInputPixels: false }).metadata()
  const delays = delay.map((shown) => [shown, 1000] as const)
  return { frames: composeFrames(source, gif), timing: { delays, plays: loop } }
}

function composeFrames(source: Uint8Array, { width, height, frames }: Gif): Frames {
  const size = width * height * 4
  const canvas = Buffer.alloc(size)
  const data = Buffer.allocUnsafe(size * frames.length)
  for (const [index, frame] of frames.entries()) {
    const before = frame.disposal === DISPOSAL.previous ? Buffer.from(canvas) : undefined
    const indices = decodeLzw(compressedPixels(source, frame), frame.minimum, frame.width * frame.height)
    for (const [line, y] of storedLines(frame).entries()) {
      const from = line * frame.width
      put(
        canvas.subarray(((frame.top + y) * width + frame.left) * 4),
        indices.subarray(from, from + frame.width),
        frame,
      )
    }
    canvas.copy(data, index * size)
    if (before !== undefined) before.copy(canvas)
    else if (frame.disposal === DISPOSAL.background) {
      for (let y = frame.top; y < frame.top + frame.height; y++) {
        canvas.fill(0, (y * width + frame.left) * 4, (y * width + frame.left + frame.width) * 4)
      }
    }
  }
  return { data, width, height, count: frames.length }
}

/** Puts one line of a frame where `canvas` begins. */
function put(canvas: Buffer, indices: Uint8Array, { palette, transparent }: GifFrame): void {
  for (let x = 0; x < indices.length; x++) {
    const index = indices[x]!
    if (index === transparent) continue
    const at = x * 4
    // Browsers show an index beyond the palette as black.
    for (let channel = 0; channel < 3; channel++) canvas[at + channel] = palette[index * 3 + channel] ?? 0
    canvas[at + 3] = 255
  }
}

/** Returns the lines of a frame in the order in which they are stored. */
export function storedLines({ height, interlaced }: GifFrame): number[] {
  if (!interlaced) return Array.from({ length: height }, (_, y) => y)
  return PASSES.flatMap(([first, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - first) / step)) }, (_, at) => first + at * step),
  )
}
