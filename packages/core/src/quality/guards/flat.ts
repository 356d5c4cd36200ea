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
  // Signed, as JavaScript's engine keeps 32 bits with a sign as they are, and makes an object of each number above.
  const batches = innerRuns(pixels, least).map(({ buffer }) => new Int32Array(buffer))
  const counts = new Map<number, number>()
  for (const found of batches) countPixels(found, counts)
  const colours = [...counts].filter(([, count]) => count >= least).map(([colour]) => colour)
  const indexes = new Map(colours.map((colour, index) => [colour, index]))
  const runs = new Uint32Array(batches.reduce((sum, found) => sum + found.length, 0))
  let end = 0
  for (const found of batches) end = takeRuns(found, indexes, runs, end)
  return { colours: Uint32Array.from(colours), runs: runs.slice(0, end) }
}

// Loops over pixels are functions of arrays and numbers alone: V8 compiles one anew for each shape of an object that it
// is given, which took 1 % of the time of a site.

/** Adds the pixels of runs to the counts of their colours. */
function countPixels(found: Int32Array, counts: Map<number, number>): void {
  for (let run = 0; run < found.length; run += 3) {
    const colour = found[run + 2]!
    counts.set(colour, (counts.get(colour) ?? 0) + found[run + 1]!)
  }
}

/** Writes the runs of colours that have an index from a place on, and returns where they end. */
function takeRuns(found: Int32Array, indexes: ReadonlyMap<number, number>, to: Uint32Array, start: number): number {
  let end = start
  for (let run = 0; run < found.length; run += 3) {
    const index = indexes.get(found[run + 2]!)
    if (index === undefined) continue
    to[end++] = found[run]!
    to[end++] = found[run + 1]!
    to[end++] = index
  }
  return end
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
  const { data, channels } = result
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length)
  const sums = sumsOfColours(runs, bytes, channels, colours.length)
  let largest = 0
  let shifted = -1
  colours.forEach((colour, index) => {
    const [red, green, blue, alphas, count] = sums.subarray(SUMS * index, SUMS * (index + 1)) as unknown as number[]
    const alpha = colour >>> 24
    for (const background of backgrounds) {
      const before = (shift: number): number => (((colour >>> shift) & 255) * alpha + background * (255 - alpha)) / 255
      const after = (sum: number): number => (sum + background * (255 * count! - alphas!)) / (255 * count!)
      const [had, has] = [
        [before(0), before(8), before(16)] as const,
        [after(red!), after(green!), after(blue!)] as const,
      ]
      // Most colours are the same in a palette.
      if (had.every((value, channel) => value === has[channel])) continue
      const [a, b] = [oklab(...had), oklab(...has)]
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

/** Sums of a flat colour: red, green and blue, each times alpha, alpha, and pixels. */
const SUMS = 5

/** The sums of all stretches of each colour. */
function sumsOfColours(runs: Uint32Array, bytes: Buffer, channels: 3 | 4, colours: number): Float64Array {
  const sums = new Float64Array(SUMS * colours)
  for (let run = 0; run < runs.length; run += 3) {
    const to = SUMS * runs[run + 2]!
    const count = runs[run + 1]!
    const start = runs[run]! * channels
    const end = start + count * channels
    // A run whose every pixel is the one before it is its first pixel, so many times.
    const times = count >= LEAST_COMPARED && isRepeated(bytes, start, end, channels) ? count : 1
    const summed = times === 1 ? end : start + channels
    let red = 0
    let green = 0
    let blue = 0
    let alphas = 0
    if (channels === 3) {
      for (let at = start; at < summed; at += 3) {
        red += bytes[at]!
        green += bytes[at + 1]!
        blue += bytes[at + 2]!
      }
      red *= 255
      green *= 255
      blue *= 255
      alphas = 255 * ((summed - start) / 3)
    } else {
      for (let at = start; at < summed; at += 4) {
        const alpha = bytes[at + 3]!
        red += bytes[at]! * alpha
        green += bytes[at + 1]! * alpha
        blue += bytes[at + 2]! * alpha
        alphas += alpha
      }
    }
    sums[to]! += times * red
    sums[to + 1]! += times * green
    sums[to + 2]! += times * blue
    sums[to + 3]! += times * alphas
    sums[to + 4]! += count
  }
  return sums
}

/** Tells whether the bytes from `start` to `end` are those of the first pixel again and again. */
function isRepeated(data: Buffer, start: number, end: number, channels: number): boolean {
  // Few noisy stretches end as they begin, and asking for a comparison takes as long as adding up many of them.
  for (let byte = 0; byte < channels; byte++) {
    if (data[start + byte] !== data[end - channels + byte]) return false
  }
  return data.compare(data, start, end - channels, start + channels, end) === 0
}
