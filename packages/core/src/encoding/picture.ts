import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { isTransparent } from '../quality/metric/pixels.ts'
import { counted } from './counted.ts'
import { countColours } from './pixel-engine.ts'

/** Decoded 8-bit pixels of one still picture, with what the encoders want to know of them. */
export interface Picture {
  /** Interleaved, row by row. */
  readonly data: Buffer
  readonly width: number
  readonly height: number
  /** 4 only when some pixel is not opaque. */
  readonly channels: 3 | 4
  /**
   * What the numbers mean. Encoders and the comparison work on the numbers as if they were sRGB, whose transfer function
   * Display P3 shares; a codec's `inDisplayP3` tells the readers of finished files.
   */
  readonly space: 'srgb' | 'display-p3'
  /** Its pixels are not quite those that browsers show of its source: colours were converted, and rounded differently. */
  readonly isNear?: true
  /** Every pixel has equal red, green and blue. */
  readonly grey: boolean
  /** At most 256 distinct colours: an exact palette exists. */
  readonly paletted: boolean
  /** Few colours for its size: a drawing, not a photograph, so that lossless coding may win. */
  readonly graphic: boolean
}

const PALETTE = 256

/** A graphic has fewer distinct colours than one in this many pixels; photographs have ten times as many. */
const PIXELS_PER_COLOUR = 32

/** Distinct colours beyond which counting ends, so that it stays cheap. */
const COUNTED_COLOURS = 65_536

export function createPicture(
  pixels: { data: Buffer; width: number; height: number; channels: 3 | 4 },
  space: Picture['space'] = 'srgb',
): Picture {
  const { data, channels } = pixels.channels === 4 && !isTransparent(pixels) ? withoutAlpha(pixels) : pixels
  return { data, width: pixels.width, height: pixels.height, channels, space, ...describe(data, channels) }
}

/** Few blocks make the score jump from setting to setting, and trying more of them costs little. */
export const isSmall = ({ width, height }: Pick<Picture, 'width' | 'height'>): boolean => width * height <= 100_000

export function fromPicture({ data, width, height, channels }: Picture): Sharp {
  return counted(sharp(data, { raw: { width, height, channels }, limitInputPixels: false }))
}

/**
 * The same for encoders of more than 8 bits. libvips widens 8 bits by shifting, which makes white slightly grey; here 255
 * becomes the largest 16-bit value.
 */
export function fromPictureIn16Bits({ data, width, height, channels }: Picture): Sharp {
  const words = new Uint16Array(data.length)
  for (let at = 0; at < words.length; at++) words[at] = data[at]! * 257
  return counted(sharp(words, { raw: { width, height, channels }, limitInputPixels: false })).toColourspace('rgb16')
}

/** The same RGBA with its transparent pixels black, or itself where they are. */
export function clearTransparency<Pixels extends Uint8Array>(pixels: Pixels): Pixels | Buffer {
  let cleared: Buffer | undefined
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] !== 0 || (pixels[at] === 0 && pixels[at + 1] === 0 && pixels[at + 2] === 0)) continue
    cleared ??= Buffer.from(pixels)
    cleared.fill(0, at, at + 3)
  }
  return cleared ?? pixels
}

function withoutAlpha({ data, width, height }: { data: Buffer; width: number; height: number }): {
  data: Buffer
  channels: 3
} {
  const plain = Buffer.allocUnsafe(width * height * 3)
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    plain[to] = data[from]!
    plain[to + 1] = data[from + 1]!
    plain[to + 2] = data[from + 2]!
  }
  return { data: plain, channels: 3 }
}

function describe(data: Buffer, channels: 3 | 4): { grey: boolean; paletted: boolean; graphic: boolean } {
  const enough = Math.min(
    COUNTED_COLOURS,
    Math.max(PALETTE + 1, Math.floor(data.length / channels / PIXELS_PER_COLOUR)),
  )
  const { colours, grey } = countColours(data, channels, enough)
  return { grey, paletted: colours <= PALETTE, graphic: colours < enough }
}
