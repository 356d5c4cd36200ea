import sharp from 'sharp'
import type { Sharp } from 'sharp'

/** The encoding of a raster's colour samples. Alpha is always plain coverage, 0 to the type's largest value. */
export type Encoding =
  /** 8 bits through the transfer function of sRGB, which Display P3 shares. */
  | 'gamma8'
  /** 16 bits through the same function. */
  | 'gamma16'
  /** 16 bits proportional to light. */
  | 'linear16'

interface Dimensions {
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
  readonly channels: 3 | 4
}

/** Decoded pixels on their way to a picture: interleaved, row by row, alpha not premultiplied. */
export type Raster = Dimensions &
  (
    | { readonly encoding: 'gamma8'; readonly data: Uint8Array }
    | { readonly encoding: 'gamma16'; readonly data: Uint16Array }
    | { readonly encoding: 'linear16'; readonly data: Uint16Array }
  )

/** Samples of 8 bits, with a transfer curve. */
export type GammaRaster = Extract<Raster, { encoding: 'gamma8' }>
/** Samples of 16 bits, in linear light. */
export type LinearRaster = Extract<Raster, { encoding: 'linear16' }>

/** Pixels of a raster; may reach beyond it. */
export interface Rectangle {
  left: number
  top: number
  width: number
  height: number
}

/**
 * Reads 16-bit samples of a buffer that sharp filled, in place where it is aligned.
 * @param bits that the file has. libvips shifts fewer than 16 up, which leaves white slightly grey; here it is the
 * largest value
 */
export function wordsOf(bytes: Buffer, bits: number = 16): Uint16Array {
  const words =
    bytes.byteOffset % 2 === 0
      ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
      : new Uint16Array(Uint8Array.from(bytes).buffer)
  if (bits < 16) for (let at = 0; at < words.length; at++) words[at]! |= words[at]! >> bits
  return words
}

/**
 * Returns a raster as the input of a pipeline. 16-bit samples stay as they are only if the pipeline ends in `rgb16`.
 */
export function openRaster({ data, width, height, channels }: Raster): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
}

/**
 * Where each of `count` blocks of pixels begins, and the end of the last: they cover a length, and differ by one at
 * most.
 */
export function blockEdges(length: number, count: number): Int32Array {
  return Int32Array.from({ length: count + 1 }, (_, index) => Math.round((index * length) / count))
}

/** Returns the part of a raster inside a rectangle, which must lie within it. */
export function cropRaster<Kind extends Raster>(raster: Kind, { left, top, width, height }: Rectangle): Kind {
  if (left === 0 && top === 0 && width === raster.width && height === raster.height) return raster
  const { channels } = raster
  const data = emptySamples(raster, width * height * channels)
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * raster.width + left) * channels
    data.set(raster.data.subarray(from, from + width * channels), y * width * channels)
  }
  return { ...raster, data, width, height }
}

/** Returns a raster on a larger one of a single colour, its top left corner at `left`, `top`. */
export function extendRaster<Kind extends Raster>(
  raster: Kind,
  colour: readonly number[],
  { left, top, width, height }: Rectangle,
): Kind {
  const { channels } = raster
  const data = emptySamples(raster, width * height * channels)
  for (let at = 0; at < data.length; at += channels)
    for (let channel = 0; channel < channels; channel++) data[at + channel] = colour[channel]!
  for (let y = 0; y < raster.height; y++) {
    const row = raster.data.subarray(y * raster.width * channels, (y + 1) * raster.width * channels)
    data.set(row, ((top + y) * width + left) * channels)
  }
  return { ...raster, data, width, height }
}

/**
 * Returns a raster without its alpha where all of it is opaque, which most files that have one are; else the same
 * raster.
 */
export function dropOpaqueAlpha(raster: Raster): Raster {
  if (raster.channels === 3) return raster
  const { data: from, width, height } = raster
  const opaque = raster.encoding === 'gamma8' ? 255 : 65_535
  for (let at = 3; at < from.length; at += 4) if (from[at] !== opaque) return raster
  const data = emptySamples(raster, width * height * 3)
  for (let at = 0, to = 0; at < from.length; at += 4, to += 3) {
    data[to] = from[at]!
    data[to + 1] = from[at + 1]!
    data[to + 2] = from[at + 2]!
  }
  return { ...raster, data, channels: 3 } as Raster
}

/** Returns a raster with alpha, opaque where it had none. */
export function withAlpha(raster: Raster): Raster {
  if (raster.channels === 4) return raster
  const { data: from, width, height } = raster
  const data = emptySamples(raster, width * height * 4)
  const opaque = raster.encoding === 'gamma8' ? 255 : 65_535
  for (let at = 0, to = 0; at < from.length; at += 3, to += 4) {
    data[to] = from[at]!
    data[to + 1] = from[at + 1]!
    data[to + 2] = from[at + 2]!
    data[to + 3] = opaque
  }
  return { ...raster, data, channels: 4 } as Raster
}

function emptySamples({ encoding }: Raster, length: number): Uint8Array | Uint16Array {
  return encoding === 'gamma8' ? Buffer.allocUnsafe(length) : new Uint16Array(length)
}
