import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { counted } from './counted.ts'

/** The frames of an animation as they are shown: interleaved RGBA of 8 bits, stacked from top to bottom. */
export interface Frames {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly count: number
  /** Milliseconds of each frame, if they are known. */
  readonly delays?: readonly number[]
}

/** Durations of the frames, and the number of loops. */
export interface Timing {
  /** Seconds of each frame, as a fraction. */
  readonly delays: readonly (readonly [numerator: number, denominator: number])[]
  /** Number of times that the animation is played; 0 for endless. */
  readonly plays: number
}

/** Longest duration of a frame in sharp, in milliseconds. */
const LONGEST = 65_535

/**
 * Returns the milliseconds of each frame and the number of loops in sharp's form. A denominator of 0 stands for 100, as
 * in PNG.
 */
export function shownAt({ delays, plays }: Timing): { delay?: number[]; loop: number } {
  const delay = delays.map(([numerator, denominator]) =>
    Math.min(LONGEST, Math.round((1000 * numerator) / (denominator === 0 ? 100 : denominator))),
  )
  return delay.length === 0 ? { loop: plays } : { delay, loop: plays }
}

/** Frames of an animation that are decoded at once. */
export interface Part {
  /** The first frame, from 0. */
  readonly page: number
  /** How many frames. */
  readonly pages: number
}

/** Opens decoded frames as the input of an encoder. @param part all of them by default */
export function openRawFrames({ data, width, height, count }: Frames, part: Part = { page: 0, pages: count }): Sharp {
  const bytes = width * height * 4
  const raw = { width, height: height * part.pages, channels: 4 as const, pageHeight: height }
  const opened = data.subarray(part.page * bytes, (part.page + part.pages) * bytes)
  return counted(sharp(opened, { raw, limitInputPixels: false }))
}

/** Decodes the frames of a pipeline as they are seen, all at once. */
export async function decodeFrames(pipeline: Sharp): Promise<Frames> {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const height = info.pageHeight ?? info.height
  return { data, width: info.width, height, count: Math.max(1, Math.round(info.height / height)) }
}

/** Returns RGBA pixels as one number each, whose bytes stand in the order of the machine. Only to be read. */
export function pixelWords(pixels: Uint8Array): Uint32Array {
  const { buffer, byteOffset, length } = pixels.byteOffset % 4 === 0 ? pixels : Uint8Array.from(pixels)
  return new Uint32Array(buffer, byteOffset, length >> 2)
}

/** The bits of such a number that are alpha. */
export const ALPHA_BITS: number = new Int32Array(Uint8Array.of(0, 0, 0, 255).buffer)[0]!

/** Tells whether a pixel is transparent, whatever its colour. */
export const isClear = (pixel: number): boolean => (pixel & ALPHA_BITS) === 0
