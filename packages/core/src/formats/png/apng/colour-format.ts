import { concatBytes } from '../../../metadata/bytes.ts'
import { ALPHA_BITS, isClear, pixelWords } from '../../../encoding/frames.ts'
import { depthFor, packIndices, paletteChunks } from '../../../encoding/indexed-png.ts'
import { encodePngChunk } from '../../../metadata/png-chunks.ts'
import type { CutFrame } from './differences.ts'

/** The storage of all frames' pixels: an animation has one bit depth, colour type and palette. */
export interface ColourFormat {
  /** `IHDR` behind the size: bit depth, colour type, and the three methods. */
  readonly header: Uint8Array
  /** `PLTE` and `tRNS`, as far as there are any, whole. */
  readonly chunks: Uint8Array
  /** Returns the rows of a frame with their filter bytes, which are 0. */
  rows(frame: Pick<CutFrame, 'pixels' | 'width' | 'height'>): Uint8Array
}

const COLOUR_TYPE = { truecolour: 2, palette: 3, truecolourAlpha: 6 } as const

const MOST_ENTRIES = 256

/** Returns the format with the fewest bits per pixel that holds every pixel of every frame exactly. */
export function colourFormatOf(frames: readonly Pick<CutFrame, 'pixels'>[]): ColourFormat {
  const census = new ColourCensus()
  for (const { pixels } of frames) census.add(pixels)
  return census.format()
}

/** Looks at all frames, one after the other, for the format that they take. */
export class ColourCensus {
  /** The number of pixels of each colour; absent once there are too many for a palette. */
  #counts: Map<number, number> | undefined = new Map()
  #isOpaque = true
  #hasOnlyWholeAlpha = true
  /** A bit for each colour that an opaque pixel has; from where there are too many for a palette. */
  #taken: Uint8Array | undefined

  add(pixels: Uint8Array): void {
    const words = pixelWords(pixels)
    for (let at = 0; at < words.length && this.#hasOpenQuestions;) {
      const colour = words[at]!
      // Long stretches have one colour.
      const from = at++
      while (at < words.length && words[at] === colour) at++
      this.#addRun(colour, at - from)
    }
  }

  /** Returns the format that holds every pixel that was added; as `colourFormatOf`. */
  format(): ColourFormat {
    if (this.#counts !== undefined) return palette(this.#counts)
    const key = this.#hasOnlyWholeAlpha && !this.#isOpaque ? unusedColour(this.#taken!) : undefined
    return key !== undefined || this.#isOpaque ? truecolour(key) : truecolourAlpha()
  }

  get #hasOpenQuestions(): boolean {
    return this.#counts !== undefined || this.#hasOnlyWholeAlpha
  }

  #addRun(colour: number, length: number): void {
    if ((colour & ALPHA_BITS) !== ALPHA_BITS) {
      this.#isOpaque = false
      if (!isClear(colour)) this.#hasOnlyWholeAlpha = false
    }
    if (this.#taken !== undefined) take(this.#taken, colour)
    if (this.#counts === undefined) return
    this.#counts.set(colour, (this.#counts.get(colour) ?? 0) + length)
    if (this.#counts.size <= MOST_ENTRIES) return
    this.#taken = new Uint8Array(1 << 21)
    for (const each of this.#counts.keys()) take(this.#taken, each)
    this.#counts = undefined
  }
}

const IS_LITTLE_ENDIAN = ALPHA_BITS < 0

/** Returns a pixel as one number on every machine, red in the highest bits, alpha in the lowest. */
function rgbaOf(pixel: number): number {
  if (!IS_LITTLE_ENDIAN) return pixel
  return (((pixel & 255) << 24) | ((pixel & 0xff00) << 8) | ((pixel >>> 8) & 0xff00) | (pixel >>> 24)) >>> 0
}

/** Makes a palette: colours that are not opaque come first, so that `tRNS` is short; then the most frequent ones. */
function palette(counts: ReadonlyMap<number, number>): ColourFormat {
  const colours = [...counts]
    .map(([pixel, times]) => ({ pixel, times, rgba: rgbaOf(pixel) }))
    .sort(
      (a, b) => Number((a.rgba & 255) === 255) - Number((b.rgba & 255) === 255) || b.times - a.times || a.rgba - b.rgba,
    )
  const places = new Map(colours.map(({ pixel }, at) => [pixel, at]))
  const depth = depthFor(colours.length)
  const entries = bytesOf(Uint32Array.from(colours, ({ pixel }) => pixel))
  return {
    header: Uint8Array.of(depth, COLOUR_TYPE.palette, 0, 0, 0),
    chunks: concatBytes(paletteChunks(entries)),
    rows({ pixels, width, height }) {
      const words = pixelWords(pixels)
      const indices = new Uint8Array(width * height)
      let [before, place] = [-1, 0]
      for (let at = 0; at < indices.length; at++) {
        const colour = words[at]!
        if (colour !== before) place = places.get(colour)!
        before = colour
        indices[at] = place
      }
      return packIndices(indices, { width, height, depth })
    },
  }
}

/** @param key the colour that means transparent; `undefined` where every pixel is opaque */
function truecolour(key: number | undefined): ColourFormat {
  const [red = 0, green = 0, blue = 0] = key === undefined ? [] : [key >> 16, (key >> 8) & 255, key & 255]
  const [clear] = new Uint32Array(Uint8Array.of(red, green, blue, 0).buffer)
  return {
    header: Uint8Array.of(8, COLOUR_TYPE.truecolour, 0, 0, 0),
    chunks: key === undefined ? new Uint8Array() : encodePngChunk('tRNS', [Uint8Array.of(0, red, 0, green, 0, blue)]),
    rows({ pixels, width, height }) {
      const bytes = bytesOf(pixelWords(pixels).map((colour) => (isClear(colour) ? clear! : colour)))
      const rows = new Uint8Array((1 + width * 3) * height)
      for (let y = 0, from = 0, to = 0; y < height; y++) {
        to++
        for (let x = 0; x < width; x++, from += 4, to += 3) {
          rows[to] = bytes[from]!
          rows[to + 1] = bytes[from + 1]!
          rows[to + 2] = bytes[from + 2]!
        }
      }
      return rows
    },
  }
}

function truecolourAlpha(): ColourFormat {
  return {
    header: Uint8Array.of(8, COLOUR_TYPE.truecolourAlpha, 0, 0, 0),
    chunks: new Uint8Array(),
    rows({ pixels, width, height }) {
      const rows = new Uint8Array((1 + width * 4) * height)
      for (let y = 0; y < height; y++) {
        rows.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), y * (1 + width * 4) + 1)
      }
      return rows
    },
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Notes the colour of an opaque pixel. */
function take(taken: Uint8Array, colour: number): void {
  if ((colour & ALPHA_BITS) !== ALPHA_BITS) return
  const place = rgbaOf(colour) >>> 8
  taken[place >> 3]! |= 1 << (place & 7)
}

/** Returns a colour that no opaque pixel has, as `0xRRGGBB`; `undefined` when every colour is taken. */
function unusedColour(taken: Uint8Array): number | undefined {
  const free = taken.findIndex((bits) => bits !== 255)
  if (free === -1) return undefined
  for (let bit = 0; ; bit++) if ((taken[free]! & (1 << bit)) === 0) return free * 8 + bit
}
