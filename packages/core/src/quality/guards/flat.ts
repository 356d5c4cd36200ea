import type { Pixels } from '../metric/ssimulacra2.ts'
import { oklab } from './oklab.ts'

/** Share of the pixels that have the same colour as their four neighbours, and that colour, from which on it is a flat colour. */
const LEAST_SHARE = 0.0005
/** The same as a number of pixels: an icon's body is one, a few pixels of antialiasing are not. */
const LEAST_PIXELS = 48

/** Counters that colours share at first, as a power of two: for large pictures and for icons, where setting up many takes the time. */
const MOST_BUCKET_BITS = 16
const LEAST_BUCKET_BITS = 10

/** The flat colours of a picture, exact ones with area: page backgrounds, brand colours, the bodies of icons. */
export interface FlatColours {
  /** RGBA, 32 bits, red lowest; 0 for all pixels of alpha 0. */
  colours: Uint32Array
  /** Stretches of pixels inside flat areas: first pixel, count, index of the colour. */
  runs: Uint32Array
}

/** Pixels with a colour's value and four neighbours of the same; memory depends on the flat areas, not on the number of colours. */
export function findFlatColours(pixels: Pixels): FlatColours {
  const { width, height } = pixels
  const least = Math.max(LEAST_PIXELS, LEAST_SHARE * width * height)
  const none = { colours: new Uint32Array(), runs: new Uint32Array() }
  if (width < 3 || height < 3) return none
  // Colours share counters at first: none that reaches the count is missed, and hardly one that does not is looked at.
  const bits = Math.min(MOST_BUCKET_BITS, Math.max(LEAST_BUCKET_BITS, Math.ceil(Math.log2(width * height)) - 2))
  const buckets = new Uint32Array(1 << bits)
  const rows = new InnerRuns(pixels)
  let isFound = false
  for (let y = 1; y < height - 1; y++) {
    const end = rows.find(y)
    for (let at = 0; at < end; at += 3) {
      const bucket = Math.imul(rows.found[at + 2]!, HASH) >>> (32 - bits)
      buckets[bucket]! += rows.found[at + 1]!
      isFound ||= buckets[bucket]! >= least
    }
  }
  if (!isFound) return none

  const counts = new Map<number, number>()
  const found: number[] = []
  for (let y = 1; y < height - 1; y++) {
    const end = rows.find(y)
    for (let at = 0; at < end; at += 3) {
      const colour = rows.found[at + 2]!
      if (buckets[Math.imul(colour, HASH) >>> (32 - bits)]! < least) continue
      const length = rows.found[at + 1]!
      counts.set(colour, (counts.get(colour) ?? 0) + length)
      found.push(rows.found[at]!, length, colour)
    }
  }
  const colours = [...counts].filter(([, count]) => count >= least).map(([colour]) => colour)
  const indexes = new Map(colours.map((colour, index) => [colour, index]))
  const runs: number[] = []
  for (let run = 0; run < found.length; run += 3) {
    const index = indexes.get(found[run + 2]!)
    if (index !== undefined) runs.push(found[run]!, found[run + 1]!, index)
  }
  return { colours: Uint32Array.from(colours), runs: Uint32Array.from(runs) }
}

/** Knuth's multiplier: 2³² over the golden ratio. */
const HASH = 0x9e3779b1

/** Stretches along rows whose pixels have one value, and their neighbours above, below, left and right the same. */
class InnerRuns {
  /** First pixel, count and colour of each stretch of a row. */
  readonly found: Uint32Array
  readonly #pixels: Pixels
  /** Three rows of colours, row y at y modulo 3; signed, so that they are compared as machine words. */
  readonly #rows: readonly [Int32Array, Int32Array, Int32Array]

  constructor(pixels: Pixels) {
    const { width } = pixels
    this.#pixels = pixels
    this.#rows = [new Int32Array(width), new Int32Array(width), new Int32Array(width)]
    this.found = new Uint32Array(3 * Math.ceil(width / 2))
  }

  /** Fills `found` with those of row `y`; the rows from 1 on have to be asked for in their order. Returns how many numbers it wrote. */
  find(y: number): number {
    const rows = this.#rows
    if (y === 1) {
      readRow(this.#pixels, 0, rows[0])
      readRow(this.#pixels, 1, rows[1])
    }
    const below = rows[(y + 1) % 3]!
    readRow(this.#pixels, y + 1, below)
    return innerRuns(rows[(y + 2) % 3]!, rows[y % 3]!, below, y * this.#pixels.width, this.found)
  }
}

function readRow({ data, width, channels }: Pixels, y: number, row: Int32Array): void {
  let at = y * width * channels
  if (channels === 3) {
    for (let x = 0; x < width; x++, at += 3) {
      row[x] = data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (255 << 24)
    }
    return
  }
  for (let x = 0; x < width; x++, at += 4) {
    const alpha = data[at + 3]!
    row[x] = alpha === 0 ? 0 : data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (alpha << 24)
  }
}

function innerRuns(above: Int32Array, here: Int32Array, below: Int32Array, first: number, found: Uint32Array): number {
  const last = here.length - 1
  let count = 0
  let x = 1
  while (x < last) {
    const colour = here[x]!
    // Of two that differ neither is inside: the one lacks its right neighbour, the other its left.
    if (here[x + 1] !== colour) {
      x += 2
      continue
    }
    if (here[x - 1] !== colour || above[x] !== colour || below[x] !== colour) {
      x++
      continue
    }
    const start = x++
    while (x < last && here[x + 1] === colour && above[x] === colour && below[x] === colour) x++
    found[count] = first + start
    found[count + 1] = x - start
    found[count + 2] = colour
    count += 3
  }
  return count
}

/** The largest distance, in OKLab, between a flat colour and the mean of what a result has in its place, on any of the greys. */
export function largestFlatShift(
  { colours, runs }: FlatColours,
  result: Pixels,
  backgrounds: readonly number[],
): number {
  const sums = new Float64Array(5 * colours.length)
  const { data, channels } = result
  for (let run = 0; run < runs.length; run += 3) {
    const at = 5 * runs[run + 2]!
    const count = runs[run + 1]!
    addRun(data, runs[run]!, count, channels, sums, at)
    sums[at + 4]! += count
  }
  let largest = 0
  colours.forEach((colour, index) => {
    const [red, green, blue, alphas, count] = sums.subarray(5 * index, 5 * index + 5) as unknown as number[]
    const alpha = colour >>> 24
    for (const background of backgrounds) {
      const before = (shift: number): number => (((colour >>> shift) & 255) * alpha + background * (255 - alpha)) / 255
      const after = (sum: number): number => (sum + background * (255 * count! - alphas!)) / (255 * count!)
      const a = oklab(before(0), before(8), before(16))
      const b = oklab(after(red!), after(green!), after(blue!))
      largest = Math.max(largest, Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2))
    }
  })
  return largest
}

/** Adds a stretch's red, green and blue, each times alpha, and its alpha to the four sums at `to`. */
function addRun(data: Uint8Array, start: number, count: number, channels: 3 | 4, sums: Float64Array, to: number): void {
  const end = (start + count) * channels
  let [red, green, blue, alphas] = [0, 0, 0, 0]
  if (channels === 3) {
    for (let i = start * 3; i < end; i += 3) {
      red += data[i]!
      green += data[i + 1]!
      blue += data[i + 2]!
    }
    red *= 255
    green *= 255
    blue *= 255
    alphas = 255 * count
  } else {
    for (let i = start * 4; i < end; i += 4) {
      const alpha = data[i + 3]!
      red += data[i]! * alpha
      green += data[i + 1]! * alpha
      blue += data[i + 2]! * alpha
      alphas += alpha
    }
  }
  sums[to]! += red
  sums[to + 1]! += green
  sums[to + 2]! += blue
  sums[to + 3]! += alphas
}
