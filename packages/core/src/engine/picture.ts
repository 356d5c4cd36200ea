import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { detectType } from '../detect.ts'
import { createReference } from '../metric/ssimulacra2.ts'
import type { Reference } from '../metric/ssimulacra2.ts'
import { MOST_PREPARED_BYTES } from '../working-memory.ts'
import { openStill } from './open-still.ts'
import { wordsOf } from './resample/raster.ts'
import { toByte } from './resample/transfer.ts'

/** Decoded 8-bit pixels of one still picture, with what the encoders want to know of them. */
export interface Picture {
  /** Interleaved, row by row. */
  readonly data: Buffer
  readonly width: number
  readonly height: number
  /** 4 only when some pixel is not opaque. */
  readonly channels: 3 | 4
  /**
   * What the numbers mean. Encoders and the comparison work on the numbers alone, as if they were sRGB, whose transfer
   * function both share; finished files are told by `attachDisplayP3`.
   */
  readonly space: 'srgb' | 'display-p3'
  /** Every pixel has equal red, green and blue. */
  readonly grey: boolean
  /** At most 256 distinct colours: an exact palette exists. */
  readonly paletted: boolean
  /** Few colours for its size: drawn, not photographed, so that lossless coding may win. */
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
  const { data, channels } = pixels.channels === 4 && isOpaque(pixels.data) ? withoutAlpha(pixels) : pixels
  return { data, width: pixels.width, height: pixels.height, channels, space, ...describe(data, channels) }
}

export function fromPicture({ data, width, height, channels }: Picture): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
}

/**
 * The same for encoders of more than 8 bits. libvips widens 8 bits by shifting, which makes white slightly grey; here 255
 * becomes the largest 16-bit value.
 */
export function fromPictureIn16Bits({ data, width, height, channels }: Picture): Sharp {
  const words = Uint16Array.from(data, (byte) => byte * 257)
  return sharp(words, { raw: { width, height, channels }, limitInputPixels: false }).toColourspace('rgb16')
}

/** Compares written bytes with the picture they were made from. */
export interface Scorer {
  /** SSIMULACRA2: 100 is identical. */
  score(encoded: Uint8Array): Promise<number>
  /** The same of pixels that are decoded already, with the picture's own channels. */
  scorePixels(data: Uint8Array): number
  dispose(): void
}

/**
 * The reference side of the comparison is prepared once, at the first score that is asked for. Beyond some 6 megapixels it is
 * read anew for each score instead, so that several large pictures can be worked on at once.
 */
export function createScorer(picture: Picture): Scorer {
  let reference: Reference | undefined
  function scorePixels(data: Uint8Array): number {
    reference ??= createReference(picture, { maxBytes: MOST_PREPARED_BYTES })
    return reference.score({ ...picture, data })
  }
  return {
    scorePixels,
    async score(encoded) {
      const type = detectType(encoded)
      const decoded = await openStill(encoded, type, false)
      const plain = picture.channels === 4 ? decoded.ensureAlpha() : decoded.removeAlpha()
      const isDeep = type === 'image/avif' && (await decoded.metadata()).depth === 'ushort'
      const data = isDeep ? await rounded(plain) : await plain.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer()
      return scorePixels(data)
    },
    dispose() {
      reference?.dispose()
    },
  }
}

/** 10 bits as a browser shows them: to the nearest of 8 bits, where libvips cuts off. */
async function rounded(pipeline: Sharp): Promise<Buffer> {
  const words = wordsOf(await pipeline.toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer())
  const bytes = Buffer.allocUnsafe(words.length)
  for (let at = 0; at < words.length; at++) bytes[at] = toByte(words[at]!)
  return bytes
}

function isOpaque(data: Buffer): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
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
  const colours = createColourSet(enough)
  let grey = true
  let last = -1
  for (let at = 0; at < data.length && (grey || colours.size() < enough); at += channels) {
    const red = data[at]!
    const green = data[at + 1]!
    const blue = data[at + 2]!
    if (red !== green || green !== blue) grey = false
    const colour = ((channels === 4 ? data[at + 3]! : 255) << 24) | (red << 16) | (green << 8) | blue
    if (colour !== last && colours.size() < enough) colours.add(colour)
    last = colour
  }
  return { grey, paletted: colours.size() <= PALETTE, graphic: colours.size() < enough }
}

/** A set of 32-bit numbers by open addressing: a `Set` makes an object of each that is large. */
function createColourSet(most: number): { add(colour: number): void; size(): number } {
  const bits = 33 - Math.clz32(most)
  const slots = new Int32Array(2 ** bits)
  let hasZero = false
  let used = 0
  return {
    add(colour) {
      if (colour === 0) {
        hasZero = true
        return
      }
      let slot = Math.imul(colour, 0x9e3779b1) >>> (32 - bits)
      while (slots[slot] !== 0 && slots[slot] !== colour) slot = (slot + 1) % slots.length
      if (slots[slot] === 0) used++
      slots[slot] = colour
    },
    size: () => used + Number(hasZero),
  }
}
