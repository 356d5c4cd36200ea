import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { MOST_WHOLE_BYTES } from '../base/limits.ts'
import { isTransparent } from '../quality/metric/pixels.ts'
import { counted } from './counted.ts'
import { isLikePhotograph, lookAt } from './picture-kind.ts'
import { countColours } from './pixel-engine.ts'

/** The decoded 8-bit pixels of one still picture, with the facts that encoders ask for. */
export interface Picture {
  /** Interleaved samples, row by row. */
  readonly data: Buffer
  readonly width: number
  readonly height: number
  /** 4 only if some pixel is not opaque. */
  readonly channels: 3 | 4
  /**
   * Colour space of the numbers. Encoders and the comparison treat them as sRGB, whose transfer function Display P3
   * shares; a codec's `inDisplayP3` writes the space into the finished file.
   */
  readonly space: 'srgb' | 'display-p3'
  /** The pixels may differ by rounding from those that browsers show for the source, because colours were converted. */
  readonly isNear?: true
  /** The pixels are those of a JPEG, at its own size. */
  readonly fromJpeg?: true
  /** `true` if every pixel has equal red, green and blue. */
  readonly grey: boolean
  /** `true` if there are at most 256 distinct colours, so that an exact palette exists. */
  readonly paletted: boolean
  /**
   * `true` if the picture is a drawing rather than a photograph, so lossless coding may win: it has few colours for its
   * size, and does not look like a photograph.
   */
  readonly graphic: boolean
  /**
   * `true` if the picture has few colours for its size and is a photograph all the same: grey, dark, foggy or blurred,
   * so that its slopes are faint.
   */
  readonly muted: boolean
}

const PALETTE = 256

/** A graphic has fewer distinct colours than one per so many pixels. Most photographs have ten times as many. */
const PIXELS_PER_COLOUR = 32

/** Counting stops at this many distinct colours to limit its cost. */
const COUNTED_COLOURS = 65_536

/** Creates a picture from decoded pixels. Alpha is dropped if all pixels are opaque. */
export function createPicture(
  pixels: { data: Buffer; width: number; height: number; channels: 3 | 4 },
  space: Picture['space'] = 'srgb',
): Picture {
  const { data, channels } = pixels.channels === 4 && !isTransparent(pixels) ? withoutAlpha(pixels) : pixels
  const { width, height } = pixels
  return { data, width, height, channels, space, ...describe({ data, width, height, channels }) }
}

/**
 * Returns `true` for a picture of at most 100,000 pixels. Its few blocks make the score jump between settings, and more
 * tries cost little.
 */
export const isSmall = ({ width, height }: Pick<Picture, 'width' | 'height'>): boolean => width * height <= 100_000

/**
 * Returns `true` for an opaque picture of more than 44 megapixels. One decode of it takes a second, and as much memory
 * as the picture itself.
 */
export const isLarge = ({ data, channels }: Pick<Picture, 'data' | 'channels'>): boolean =>
  channels === 3 && data.length > MOST_WHOLE_BYTES

/** Opens a picture in sharp, with 8 bits per sample. */
export function fromPicture({ data, width, height, channels }: Picture): Sharp {
  return counted(sharp(data, { raw: { width, height, channels }, limitInputPixels: false }))
}

/**
 * Opens a picture in sharp for encoders of more than 8 bits. libvips widens 8 bits by shifting, which turns white
 * slightly grey; here 255 becomes the largest 16-bit value.
 */
export function fromPictureIn16Bits({ data, width, height, channels }: Picture): Sharp {
  const words = new Uint16Array(data.length)
  for (let at = 0; at < words.length; at++) words[at] = data[at]! * 257
  return counted(sharp(words, { raw: { width, height, channels }, limitInputPixels: false })).toColourspace('rgb16')
}

/** Sets the colour of transparent RGBA pixels to black. Returns the same array if they are black already. */
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

function describe(
  pixels: Pick<Picture, 'data' | 'width' | 'height' | 'channels'>,
): Pick<Picture, 'grey' | 'paletted' | 'graphic' | 'muted'> {
  const { data, width, height, channels } = pixels
  const enough = Math.min(COUNTED_COLOURS, Math.max(PALETTE + 1, Math.floor((width * height) / PIXELS_PER_COLOUR)))
  const { colours, grey } = countColours(data, channels, enough)
  const paletted = colours <= PALETTE
  const hasFew = colours < enough
  // A small picture gets every search, because that costs little.
  const muted = hasFew && !isSmall(pixels) && isLikePhotograph(lookAt(pixels), { paletted, grey })
  return { grey, paletted, graphic: hasFew && !muted, muted }
}
