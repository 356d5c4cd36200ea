import { concatBytes } from '../../../metadata/bytes.ts'
import { colourAt, countColours } from '../../../encoding/frames.ts'
import { depthFor, packIndices, paletteChunks } from '../../../encoding/indexed-png.ts'
import { encodePngChunk } from '../../../metadata/png-chunks.ts'
import type { PlannedFrame } from './differences.ts'

/** The storage of all frames' pixels: an animation has one bit depth, colour type and palette. */
export interface ColourFormat {
  /** `IHDR` behind the size: bit depth, colour type, and the three methods. */
  readonly header: Uint8Array
  /** `PLTE` and `tRNS`, as far as there are any, whole. */
  readonly chunks: Uint8Array
  /** Returns the rows of a frame with their filter bytes, which are 0. */
  rows(frame: PlannedFrame): Uint8Array
}

const COLOUR_TYPE = { truecolour: 2, palette: 3, truecolourAlpha: 6 } as const

/** Returns the format with the fewest bits per pixel that holds every pixel of every frame exactly. */
export function colourFormatOf(frames: readonly PlannedFrame[]): ColourFormat {
  const counts = countColours(frames)
  if (counts !== undefined) return palette(counts)
  const key = frames.every(({ pixels }) => hasOnlyWholeAlpha(pixels)) ? unusedColour(frames) : undefined
  if (key !== undefined || frames.every(({ pixels }) => isOpaque(pixels))) return truecolour(key)
  return truecolourAlpha()
}

/** Makes a palette: colours that are not opaque come first, so that `tRNS` is short; then the most frequent ones. */
function palette(counts: ReadonlyMap<number, number>): ColourFormat {
  const colours = [...counts]
    .sort(
      ([a, timesA], [b, timesB]) => Number((a & 255) === 255) - Number((b & 255) === 255) || timesB - timesA || a - b,
    )
    .map(([colour]) => colour)
  const index = new Map(colours.map((colour, at) => [colour, at]))
  const depth = depthFor(colours.length)
  const entries = Uint8Array.from(
    colours.flatMap((colour) => [colour >>> 24, (colour >>> 16) & 255, (colour >>> 8) & 255, colour & 255]),
  )
  return {
    header: Uint8Array.of(depth, COLOUR_TYPE.palette, 0, 0, 0),
    chunks: concatBytes(paletteChunks(entries)),
    rows({ pixels, width, height }) {
      const indices = new Uint8Array(width * height)
      for (let at = 0; at < indices.length; at++) indices[at] = index.get(colourAt(pixels, at * 4))!
      return packIndices(indices, { width, height, depth })
    },
  }
}

/** @param key the colour that means transparent; `undefined` where every pixel is opaque */
function truecolour(key: number | undefined): ColourFormat {
  const [red = 0, green = 0, blue = 0] = key === undefined ? [] : [key >> 16, (key >> 8) & 255, key & 255]
  return {
    header: Uint8Array.of(8, COLOUR_TYPE.truecolour, 0, 0, 0),
    chunks: key === undefined ? new Uint8Array() : encodePngChunk('tRNS', [Uint8Array.of(0, red, 0, green, 0, blue)]),
    rows: ({ pixels, width, height }) =>
      pixelRows(width, height, 3, (rows, to, pixel) => {
        if (pixels[pixel * 4 + 3] === 0) rows.set([red, green, blue], to)
        else rows.set(pixels.subarray(pixel * 4, pixel * 4 + 3), to)
      }),
  }
}

function truecolourAlpha(): ColourFormat {
  return {
    header: Uint8Array.of(8, COLOUR_TYPE.truecolourAlpha, 0, 0, 0),
    chunks: new Uint8Array(),
    rows: ({ pixels, width, height }) =>
      pixelRows(width, height, 4, (rows, to, pixel) => rows.set(pixels.subarray(pixel * 4, pixel * 4 + 4), to)),
  }
}

function pixelRows(
  width: number,
  height: number,
  bytes: number,
  write: (rows: Uint8Array, to: number, pixel: number) => void,
): Uint8Array {
  const stride = 1 + width * bytes
  const rows = new Uint8Array(stride * height)
  for (let pixel = 0; pixel < width * height; pixel++) {
    write(rows, Math.floor(pixel / width) * stride + 1 + (pixel % width) * bytes, pixel)
  }
  return rows
}

function isOpaque(pixels: Uint8Array): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false
  return true
}

function hasOnlyWholeAlpha(pixels: Uint8Array): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255 && pixels[at] !== 0) return false
  return true
}

/**
 * Returns a colour that no opaque pixel has, as `0xRRGGBB`; `undefined` when no pixel is transparent, or every colour
 * is taken.
 */
function unusedColour(frames: readonly PlannedFrame[]): number | undefined {
  if (frames.every(({ pixels }) => isOpaque(pixels))) return undefined
  const taken = new Uint8Array(1 << 21)
  for (const { pixels } of frames) {
    for (let at = 0; at < pixels.length; at += 4) {
      const colour = (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!
      if (pixels[at + 3] === 255) taken[colour >> 3]! |= 1 << (colour & 7)
    }
  }
  const free = taken.findIndex((bits) => bits !== 255)
  if (free === -1) return undefined
  for (let bit = 0; ; bit++) if ((taken[free]! & (1 << bit)) === 0) return free * 8 + bit
}
