/** The frames of a GIF as they are stored. Source: GIF89a specification, sections 18 to 23. */
import { concatBytes, uint16 } from '../../metadata/bytes.ts'
import { BLOCK, EXTENSION, blocks, colorTableSize, headerSize } from './metadata.ts'

/** The ways to treat a frame's region before the next frame; any other leaves it. */
export const DISPOSAL = { background: 2, previous: 3 } as const

/** A frame of a GIF, with the place of its pixels in the file. */
export interface GifFrame {
  /** Place on the canvas, pixels. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly disposal: number
  /** Hundredths of a second. */
  readonly delay: number
  /** The frame waits for user input. Browsers ignore that. */
  readonly waits: boolean
  /** The file has a control block for the frame. Readers differ in the time of frames without one. */
  readonly isControlled: boolean
  /** The colour index that leaves the canvas as it is; `undefined` where every pixel has a colour. */
  readonly transparent: number | undefined
  readonly interlaced: boolean
  /** Three bytes for each colour. */
  readonly palette: Uint8Array
  /** Bits of a colour index. */
  readonly minimum: number
  /** Where its compressed pixels are: blocks of a length and as many bytes. */
  readonly start: number
  readonly end: number
}

/** The structure of a GIF file. */
export interface Gif {
  /** Pixels of the canvas. */
  readonly width: number
  readonly height: number
  readonly frames: readonly GifFrame[]
}

type Control = Pick<GifFrame, 'disposal' | 'delay' | 'waits' | 'isControlled' | 'transparent'>

const NO_CONTROL: Control = { disposal: 0, delay: 0, waits: false, isControlled: false, transparent: undefined }

/** Reads as far as the file is one. */
export function readGifFrames(data: Uint8Array): Gif {
  const frames: GifFrame[] = []
  const globalPalette = data.subarray(13, headerSize(data))
  let control: Control = NO_CONTROL
  for (const { kind, label, start, end } of blocks(data)) {
    if (kind === BLOCK.extension && label === EXTENSION.control) {
      const packed = data[start + 3]!
      control = {
        disposal: (packed >> 2) & 7,
        delay: uint16(data, start + 4, true),
        waits: (packed & 2) !== 0,
        isControlled: true,
        transparent: (packed & 1) === 1 ? data[start + 6]! : undefined,
      }
    } else if (kind === BLOCK.image) {
      const packed = data[start + 9]!
      const pixels = start + 10 + colorTableSize(packed)
      const [left, top, width, height] = [1, 3, 5, 7].map((at) => uint16(data, start + at, true)) as [
        number,
        number,
        number,
        number,
      ]
      frames.push({
        left,
        top,
        width,
        height,
        ...control,
        interlaced: (packed & 0x40) !== 0,
        palette: pixels > start + 10 ? data.subarray(start + 10, pixels) : globalPalette,
        minimum: data[pixels]!,
        start: pixels + 1,
        end,
      })
      control = NO_CONTROL
    }
  }
  return { width: uint16(data, 6, true), height: uint16(data, 8, true), frames }
}

/** Returns the compressed pixels of a frame, without the lengths between them. */
export function compressedPixels(data: Uint8Array, { start, end }: GifFrame): Uint8Array {
  const parts: Uint8Array[] = []
  for (let at = start; at < end && data[at] !== 0; at += 1 + data[at]!) {
    parts.push(data.subarray(at + 1, Math.min(end, at + 1 + data[at]!)))
  }
  return concatBytes(parts)
}

/** Tells whether all readers show a file alike. */
export function isPlainGif(source: Uint8Array, gif: Gif): boolean {
  let isWhole = false
  for (const { kind, label } of blocks(source)) {
    if (kind === BLOCK.extension && label === EXTENSION.text) return false
    isWhole = kind === BLOCK.trailer
  }
  return isWhole && gif.frames.length > 0 && gif.frames.every((frame) => isPlainFrame(frame, gif))
}

function isPlainFrame(frame: GifFrame, { width, height }: Gif): boolean {
  const fits = frame.left + frame.width <= width && frame.top + frame.height <= height
  const isKnown = frame.disposal <= DISPOSAL.previous && frame.minimum <= 8 && frame.palette.length > 0
  return fits && frame.width * frame.height > 0 && isKnown
}

/** Tells whether some frame leaves a part of the canvas clear, so that the page shows through. */
export function leavesClear({ width, height, frames }: Gif): boolean {
  let clear = true
  for (const frame of frames) {
    const reachesAll = frame.left === 0 && frame.top === 0 && frame.width >= width && frame.height >= height
    const shown: boolean = clear && !(reachesAll && frame.transparent === undefined)
    if (shown) return true
    if (frame.disposal === DISPOSAL.background) clear = true
    else if (frame.disposal !== DISPOSAL.previous) clear = shown
  }
  return false
}
