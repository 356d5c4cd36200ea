import type { Pixels } from '../metric/ssimulacra2.ts'
import { oklab } from './oklab.ts'

/** Share of the pixels that have the same colour as their four neighbours, and that colour, from which on it is a flat colour. */
const LEAST_SHARE = 0.0005
/** The same as a number of pixels: an icon's body is one, a few pixels of antialiasing are not. */
const LEAST_PIXELS = 48

const BUCKETS = 65_536

/** The flat colours of a picture, exact ones with area: page backgrounds, brand colours, the bodies of icons. */
export interface FlatColours {
  /** RGBA, 32 bits, red lowest; 0 for all pixels of alpha 0. */
  colours: Uint32Array
  /** Stretches of pixels inside flat areas: first pixel, count, index of the colour. */
  runs: Uint32Array
}

/** Pixels with a colour's value and four neighbours of the same; memory depends on the flat areas, not on the number of colours. */
export function findFlatColours(pixels: Pixels): FlatColours {
  const least = Math.max(LEAST_PIXELS, LEAST_SHARE * pixels.width * pixels.height)
  // Colours share counters at first: none that reaches the count is missed, and hardly one that does not is looked at.
  const buckets = new Uint32Array(BUCKETS)
  eachInnerRun(pixels, (colour, _, length) => (buckets[bucketOf(colour)]! += length))
  if (!buckets.some((count) => count >= least)) return { colours: new Uint32Array(), runs: new Uint32Array() }

  const counts = new Map<number, number>()
  const found: number[] = []
  eachInnerRun(pixels, (colour, start, length) => {
    if (buckets[bucketOf(colour)]! < least) return
    counts.set(colour, (counts.get(colour) ?? 0) + length)
    found.push(start, length, colour)
  })
  const colours = [...counts].filter(([, count]) => count >= least).map(([colour]) => colour)
  const indexes = new Map(colours.map((colour, index) => [colour, index]))
  const runs: number[] = []
  for (let run = 0; run < found.length; run += 3) {
    const index = indexes.get(found[run + 2]!)
    if (index !== undefined) runs.push(found[run]!, found[run + 1]!, index)
  }
  return { colours: Uint32Array.from(colours), runs: Uint32Array.from(runs) }
}

function bucketOf(colour: number): number {
  return Math.imul(colour, 0x9e3779b1) >>> 16
}

/** Stretches along rows whose pixels have one value, and their neighbours above, below, left and right the same. */
function eachInnerRun(
  { data, width, height, channels }: Pixels,
  visit: (colour: number, start: number, length: number) => void,
): void {
  let above = new Uint32Array(width)
  let here = new Uint32Array(width)
  let below = new Uint32Array(width)
  const read = (row: Uint32Array, y: number): void => {
    for (let x = 0, at = y * width * channels; x < width; x++, at += channels) {
      const alpha = channels === 4 ? data[at + 3]! : 255
      row[x] = alpha === 0 ? 0 : data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (alpha << 24)
    }
  }
  if (height < 3) return
  read(here, 0)
  read(below, 1)
  for (let y = 1; y < height - 1; y++) {
    ;[above, here, below] = [here, below, above]
    read(below, y + 1)
    let length = 0
    for (let x = 1; x < width - 1; x++) {
      const colour = here[x]!
      if (here[x + 1] === colour && here[x - 1] === colour && above[x] === colour && below[x] === colour) {
        length++
      } else if (length > 0) {
        visit(here[x - 1]!, y * width + x - length, length)
        length = 0
      }
    }
    if (length > 0) visit(here[width - 2]!, y * width + width - 1 - length, length)
  }
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
    let [red, green, blue, alphas] = [0, 0, 0, 0]
    const end = (runs[run]! + runs[run + 1]!) * channels
    for (let i = runs[run]! * channels; i < end; i += channels) {
      const alpha = channels === 4 ? data[i + 3]! : 255
      red += data[i]! * alpha
      green += data[i + 1]! * alpha
      blue += data[i + 2]! * alpha
      alphas += alpha
    }
    sums[at]! += red
    sums[at + 1]! += green
    sums[at + 2]! += blue
    sums[at + 3]! += alphas
    sums[at + 4]! += runs[run + 1]!
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
