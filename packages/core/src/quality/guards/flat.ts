import type { Pixels } from '../metric/ssimulacra2.ts'
import { innerRuns } from './instance.ts'
import { oklab } from './oklab.ts'

/** A colour is flat if at least this share of all pixels have it together with their four neighbours. */
const LEAST_SHARE = 0.0005
/** The smallest number of such pixels: the body of an icon has more, a few antialiased pixels do not. */
const LEAST_PIXELS = 48

/**
 * Runs of at least this many pixels are first tested for being uniform, as most are, which is faster than adding them
 * up.
 */
const LEAST_COMPARED = 24

/** The flat colours of a picture, which fill an area exactly: page backgrounds, brand colours, bodies of icons. */
export interface FlatColours {
  /** RGBA in 32 bits, red in the lowest; 0 for all pixels of alpha 0. */
  colours: Uint32Array
  /** Runs of pixels inside flat areas: first pixel, count, and index of the colour. */
  runs: Uint32Array
}

/**
 * Finds pixels that have the colour of all their four neighbours. Memory depends on the flat areas, not on the number
 * of colours.
 */
export function findFlatColours(pixels: Pixels): FlatColours {
  const least = Math.max(LEAST_PIXELS, LEAST_SHARE * pixels.width * pixels.height)
  const batches = innerRuns(pixels, least)
  const counts = new Map<number, number>()
  for (const found of batches) {
    for (let run = 0; run < found.length; run += 3) {
      counts.set(found[run + 2]!, (counts.get(found[run + 2]!) ?? 0) + found[run + 1]!)
    }
  }
  const colours = [...counts].filter(([, count]) => count >= least).map(([colour]) => colour)
  const indexes = new Map(colours.map((colour, index) => [colour, index]))
  const runs = new Uint32Array(batches.reduce((sum, found) => sum + found.length, 0))
  let end = 0
  for (const found of batches) {
    for (let run = 0; run < found.length; run += 3) {
      const index = indexes.get(found[run + 2]!)
      if (index === undefined) continue
      runs[end++] = found[run]!
      runs[end++] = found[run + 1]!
      runs[end++] = index
    }
  }
  return { colours: Uint32Array.from(colours), runs: runs.slice(0, end) }
}

/** The shift of a flat colour, and the first pixel that has it. */
export interface FlatShift {
  /** Distance in OKLab. */
  shift: number
  /** Index of the pixel from the upper left corner along the rows. */
  first: number
}

/**
 * Returns the largest distance, in OKLab, between a flat colour and the mean of the result's pixels in its place, on
 * any of the grey backgrounds.
 */
export function largestFlatShift(
  { colours, runs }: FlatColours,
  result: Pixels,
  backgrounds: readonly number[],
): FlatShift {
  const sums = new Float64Array(5 * colours.length)
  const { channels } = result
  const sum = channels === 3 ? sumOpaque : sumBlended
  const data = Buffer.from(result.data.buffer, result.data.byteOffset, result.data.length)
  for (let run = 0; run < runs.length; run += 3) {
    const at = 5 * runs[run + 2]!
    const count = runs[run + 1]!
    const start = runs[run]! * channels
    const end = start + count * channels
    // A run of equal pixels counts as its first pixel, multiplied.
    const isUniform = count >= LEAST_COMPARED && isRepeated(data, start, end, channels)
    const weight = isUniform ? count : 1
    const ofRun = sum(data, start, isUniform ? start + channels : end)
    for (let index = 0; index < 4; index++) sums[at + index]! += weight * ofRun[index]!
    sums[at + 4]! += count
  }
  let largest = 0
  let shifted = -1
  colours.forEach((colour, index) => {
    const [red, green, blue, alphas, count] = sums.subarray(5 * index, 5 * index + 5) as unknown as number[]
    const alpha = colour >>> 24
    for (const background of backgrounds) {
      const before = (shift: number): number => (((colour >>> shift) & 255) * alpha + background * (255 - alpha)) / 255
      const after = (weighted: number): number => (weighted + background * (255 * count! - alphas!)) / (255 * count!)
      const a = oklab(before(0), before(8), before(16))
      const b = oklab(after(red!), after(green!), after(blue!))
      const distance = Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
      if (distance > largest) [largest, shifted] = [distance, index]
    }
  })
  return { shift: largest, first: firstOf(runs, shifted) }
}

/** Returns the first pixel of a flat colour; 0 if there is none. */
function firstOf(runs: Uint32Array, colour: number): number {
  for (let run = 0; run < runs.length; run += 3) if (runs[run + 2] === colour) return runs[run]!
  return 0
}

/** Returns `true` if the bytes from `start` to `end` repeat those of the first pixel. */
function isRepeated(data: Buffer, start: number, end: number, channels: number): boolean {
  return data.compare(data, start, end - channels, start + channels, end) === 0
}

/** Sums of red, green and blue, each times alpha, and of alpha. */
type Sums = readonly [red: number, green: number, blue: number, alpha: number]

/** Returns the sums of a run of opaque pixels, from its first byte to the one after its last. */
function sumOpaque(data: Uint8Array, first: number, end: number): Sums {
  let [red, green, blue] = [0, 0, 0]
  for (let i = first; i < end; i += 3) {
    red += data[i]!
    green += data[i + 1]!
    blue += data[i + 2]!
  }
  return [red * 255, green * 255, blue * 255, 255 * ((end - first) / 3)]
}

/** Returns the sums of a run of pixels with alpha, as `sumOpaque` does. */
function sumBlended(data: Uint8Array, first: number, end: number): Sums {
  let [red, green, blue, alphas] = [0, 0, 0, 0]
  for (let i = first; i < end; i += 4) {
    const alpha = data[i + 3]!
    red += data[i]! * alpha
    green += data[i + 1]! * alpha
    blue += data[i + 2]! * alpha
    alphas += alpha
  }
  return [red, green, blue, alphas]
}
