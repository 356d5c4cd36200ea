import { withoutIt } from '../../base/faults.ts'
import sharp from 'sharp'
import type { ComposedAnimation } from '../../encoding/codec.ts'
import { composeInPieces } from '../../encoding/frame-composer.ts'
import type { Painter } from '../../encoding/frame-composer.ts'
import { copyFrames, isLong } from '../../encoding/frame-source.ts'
import type { FrameSource } from '../../encoding/frame-source.ts'
import { decodeLzw } from './lzw.ts'
import { DISPOSAL, compressedPixels, isPlainGif, leavesClear, readGifFrames } from './read.ts'
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
  const { width, height, frames } = gif
  const composed = composeInPieces({ width, height, count: frames.length }, () => painterOf(source, gif))
  return { frames: await copyFrames(composed), timing: { delays, plays: loop } }
}

/**
 * Opens the frames of a GIF that takes several pieces: each is decoded once in a pass, where libvips would begin anew
 * for each piece.
 * @param otherwise the same frames by libvips: for short files, which it decodes once anyway and in less time, for
 * those that readers may show in other ways, and for damaged ones
 */
export function openGifFrames(source: Uint8Array, otherwise: FrameSource): FrameSource {
  const gif = readGifFrames(source)
  const { width, height, count } = otherwise
  const isAlike = width === gif.width && height === gif.height && count === gif.frames.length
  if (!isLong(otherwise) || !isAlike || !isPlainGif(source, gif) || needsComposing(gif)) return otherwise
  const composed = composeInPieces({ width, height, count }, () => painterOf(source, gif))
  let isSound = true
  return {
    ...otherwise,
    atOnce: composed.atOnce,
    async frame(index) {
      if (!isSound) return otherwise.frame(index)
      try {
        return await composed.frame(index)
      } catch (error) {
        withoutIt(error)
        isSound = false
        return otherwise.frame(index)
      }
    },
  }
}

function painterOf(source: Uint8Array, { width, height, frames }: Gif): Painter {
  const restores = frames.some(({ disposal }) => disposal === DISPOSAL.previous)
  const before = new Uint32Array(restores ? width * height : 0)
  return {
    draw(canvas, index) {
      const last = frames[index - 1]
      if (last?.disposal === DISPOSAL.previous) canvas.set(before)
      else if (last?.disposal === DISPOSAL.background) clear(canvas, width, last)
      const frame = frames[index]!
      if (frame.disposal === DISPOSAL.previous) before.set(canvas)
      put(canvas, width, { frame, source })
    },
    isWhole: (index) => isWholeFrame(frames[index]!, { width, height }),
  }
}

const isWholeFrame = (frame: GifFrame, { width, height }: Pick<Gif, 'width' | 'height'>): boolean =>
  frame.transparent === undefined && frame.width === width && frame.height === height

function clear(canvas: Uint32Array, stride: number, { left, top, width, height }: GifFrame): void {
  for (let y = top; y < top + height; y++) canvas.fill(0, y * stride + left, y * stride + left + width)
}

function put(canvas: Uint32Array, stride: number, { frame, source }: { frame: GifFrame; source: Uint8Array }): void {
  const { left, top, width, height, interlaced, transparent } = frame
  const indices = decodeLzw(compressedPixels(source, frame), frame.minimum, width * height)
  const colours = coloursOf(frame)
  const lines = interlaced ? storedLines(frame) : undefined
  for (let line = 0, from = 0; line < height; line++) {
    const to = (top + (lines === undefined ? line : lines[line]!)) * stride + left
    for (let x = 0; x < width; x++, from++) {
      const index = indices[from]!
      if (index !== transparent) canvas[to + x] = colours[index]!
    }
  }
}

/** Returns the pixel of each index. Browsers show one beyond the palette as black. */
function coloursOf({ palette }: GifFrame): Uint32Array {
  const colours = new Uint32Array(256)
  const bytes = new Uint8Array(colours.buffer)
  for (let index = 0; index < 256; index++) {
    bytes.set(palette.subarray(3 * index, 3 * index + 3), 4 * index)
    bytes[4 * index + 3] = 255
  }
  return colours
}

/** Returns the lines of a frame in the order in which they are stored. */
export function storedLines({ height, interlaced }: GifFrame): number[] {
  if (!interlaced) return Array.from({ length: height }, (_, y) => y)
  return PASSES.flatMap(([first, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - first) / step)) }, (_, at) => first + at * step),
  )
}
