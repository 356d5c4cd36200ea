import { pixelWordsOf } from '../metric/pixels.ts'
import type { Pixels } from '../metric/ssimulacra2.ts'
import { innerRuns } from './instance.ts'
import type { WorstWindow } from './instance.ts'
import { oklab } from './oklab.ts'

/** The ground of a pixel: at least this share of the 7 × 7 pixels around it is plain, with at most this deviation. */
const LEAST_GROUND = 0.35
const MOST_DEVIATION = 0.012
const REACH_OF_GROUND = 3
/** In a corner of a picture, 4 × 4 of the 7 × 7 pixels are there. */
const LEAST_COUNT = LEAST_GROUND * (REACH_OF_GROUND + 1) ** 2
/** Contrast in OKLab from which a pixel stands out from its ground; below half of it, a pixel is ground itself. */
const LEAST_CONTRAST = 0.03
/** A line is thin if its ground begins within this many pixels on both sides, in one of the four directions. */
const REACH_OF_LINE = 3
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const
/** Sum of weights that a window needs, and the number that is added to it, so that a few pixels count for less. */
const LEAST_WEIGHT = 4
const REGULARISER = 3
/**
 * A window of lines in several hues counts for less, by this deviation of hue: letters with coloured fringes for
 * subpixels have many hues, of which none is theirs. Clean letters of that kind reached 0.020 without it.
 */
const DEVIATION_OF_HUE = 0.04
/** Pixels around a window whose lines are looked at for that: a column of a letter's stem has one hue by itself. */
const REACH_OF_HUES = 3

/** Windows that follow a letter or a dot, a row, and a column: width and height, and the steps between them. */
const SHAPES = [
  [8, 8, 4, 4],
  [16, 1, 8, 1],
  [1, 16, 1, 8],
] as const

/** Rows that are looked at in one go, and the rows above and below that decide about them. */
const ROWS = 108
const MARGIN = 10

interface Window {
  readonly x: number
  readonly y: number
  readonly wide: number
  readonly high: number
  /** The sum of changes is divided by this. */
  readonly divisor: number
}

/**
 * The lines, outlines and small letters of one to three pixels on plain ground in a picture. Their hue is averaged over
 * their own pixels: over a whole window of 8 × 8, a line of one pixel would count for an eighth.
 */
export class ThinLines {
  readonly #background: number
  readonly #width: number
  /** For each pixel of the picture the number of the thin pixel, from 1 on; 0 for all others. */
  readonly #numbers: Int32Array
  /** The pixel of each number, how much it counts, and its OKLab a and b. */
  readonly #pixels: number[] = [0]
  readonly #weights: number[] = [0]
  readonly #hues: number[] = [0, 0]
  readonly #windows: Window[] = []

  /** Finds the thin lines of a picture on a grey background (0…255); `areas` are those of `findAreas`. */
  constructor(original: Pixels, background: number, areas: Uint8Array) {
    const { width, height } = original
    this.#background = background
    this.#width = width
    this.#numbers = new Int32Array(width * height)
    this.#findPixels(new Grounds(original, background, areas), areas, height)
    if (this.#pixels.length > LEAST_WEIGHT) for (const shape of SHAPES) this.#findWindows(shape, width, height)
  }

  /** Returns the largest mean change of hue and saturation in any window, in OKLab. */
  worst(result: Pixels): WorstWindow {
    const [worst, changes] = [{ value: 0, x: 0, y: 0 }, this.#changes(result)]
    for (const { x, y, wide, high, divisor } of this.#windows) {
      let [a, b] = [0, 0]
      for (let row = y; row < y + high; row++) {
        for (let at = row * this.#width + x, end = at + wide; at < end; at++) {
          const number = this.#numbers[at]!
          a += changes[2 * number]!
          b += changes[2 * number + 1]!
        }
      }
      const value = Math.sqrt(a * a + b * b) / divisor
      if (value > worst.value) Object.assign(worst, { value, x, y })
    }
    return worst
  }

  /** Returns the weighted change of a and b of each number. */
  #changes(result: Pixels): Float64Array {
    const changes = new Float64Array(this.#hues.length)
    if (this.#windows.length === 0) return changes
    const labs = new Labs(result, this.#background)
    for (let number = 1; number < this.#pixels.length; number++) {
      const lab = labs.of(labs.colourOf(this.#pixels[number]!))
      const weight = this.#weights[number]!
      changes[2 * number] = weight * (labs.values[lab + 1]! - this.#hues[2 * number]!)
      changes[2 * number + 1] = weight * (labs.values[lab + 2]! - this.#hues[2 * number + 1]!)
    }
    return changes
  }

  #findPixels(grounds: Grounds, areas: Uint8Array, height: number): void {
    for (let top = 0; top < height; top += ROWS) {
      const [from, to] = [Math.max(0, top - MARGIN), Math.min(height, top + ROWS + MARGIN)]
      if (!areas.subarray(from * this.#width, to * this.#width).includes(1)) continue
      grounds.lookAt(from, to)
      const end = Math.min(height, top + ROWS) * this.#width
      // Most pixels of a drawing are areas, which `indexOf` skips fast.
      for (let at = areas.indexOf(0, top * this.#width); at >= 0 && at < end; at = areas.indexOf(0, at + 1)) {
        const contrast = grounds.thinContrast(at)
        if (contrast === 0) continue
        const share = contrast / grounds.largestNear(at)
        this.#numbers[at] = this.#pixels.push(at) - 1
        this.#weights.push(share * share)
        grounds.pushHue(at, this.#hues)
      }
    }
  }

  #findWindows([wide, high, stepX, stepY]: (typeof SHAPES)[number], width: number, height: number): void {
    const [lefts, tops] = [startsOf(width, wide, stepX), startsOf(height, high, stepY)]
    const weights = new Float32Array(lefts.length * tops.length)
    for (let number = 1; number < this.#pixels.length; number++) {
      const y = Math.floor(this.#pixels[number]! / width)
      const x = this.#pixels[number]! - y * width
      for (let row = firstOver(y, high, stepY); row < tops.length && tops[row]! <= y; row++) {
        for (let column = firstOver(x, wide, stepX); column < lefts.length && lefts[column]! <= x; column++) {
          weights[row * lefts.length + column]! += this.#weights[number]!
        }
      }
    }
    for (let at = 0; at < weights.length; at++) {
      if (weights[at]! < LEAST_WEIGHT) continue
      const [x, y] = [lefts[at % lefts.length]!, tops[Math.floor(at / lefts.length)]!]
      const divisor = (weights[at]! + REGULARISER) * this.#hueDivisor(x, y, wide, high)
      this.#windows.push({ x, y, wide, high, divisor })
    }
  }

  /** Returns 1 where all lines in and around a window have one hue, and more where they have several. */
  #hueDivisor(x: number, y: number, wide: number, high: number): number {
    const [left, right] = [Math.max(0, x - REACH_OF_HUES), Math.min(this.#width, x + wide + REACH_OF_HUES)]
    const bottom = Math.min(this.#numbers.length / this.#width, y + high + REACH_OF_HUES)
    let [weights, a, b, squares] = [0, 0, 0, 0]
    for (let row = Math.max(0, y - REACH_OF_HUES); row < bottom; row++) {
      for (let at = row * this.#width + left, end = at + right - left; at < end; at++) {
        const number = this.#numbers[at]!
        if (number === 0) continue
        const [each, itsA, itsB] = [this.#weights[number]!, this.#hues[2 * number]!, this.#hues[2 * number + 1]!]
        weights += each
        a += each * itsA
        b += each * itsB
        squares += each * (itsA * itsA + itsB * itsB)
      }
    }
    const variance = Math.max(0, squares / weights - (a * a + b * b) / (weights * weights))
    return 1 + variance / (DEVIATION_OF_HUE * DEVIATION_OF_HUE)
  }
}

/** Returns where windows of a length start along a side; the last ends with it. */
export function startsOf(side: number, length: number, step: number): number[] {
  if (side < length) return []
  const last = side - length
  const starts = Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step)
  return last % step === 0 ? starts : [...starts, last]
}

/** The first window of a length that reaches a place. */
const firstOver = (place: number, length: number, step: number): number =>
  Math.max(0, Math.ceil((place - length + 1) / step))

/** Pixels of a picture in OKLab on a grey background. The last colours are kept: pictures with thin lines have few. */
class Labs {
  static readonly #BITS = 13
  readonly values = new Float64Array(3 << Labs.#BITS)
  readonly #data: Uint8Array
  /** RGBA in 32 bits each; `undefined` for a picture without alpha. */
  readonly #words: Int32Array | undefined
  readonly #background: number
  /** The colour that each slot was computed of. */
  readonly #colours = new Int32Array(1 << Labs.#BITS)

  constructor({ data, channels }: Pixels, background: number) {
    this.#data = data
    this.#words = channels === 4 ? (pixelWordsOf(data) ?? pixelWordsOf(data.slice())) : undefined
    this.#background = background
    // 0 alone is looked up in the first slot.
    this.#compute(0, 0)
  }

  /** Returns RGBA in 32 bits. */
  colourOf(pixel: number): number {
    if (this.#words !== undefined) return this.#words[pixel]!
    const at = 3 * pixel
    return (255 << 24) | (this.#data[at + 2]! << 16) | (this.#data[at + 1]! << 8) | this.#data[at]!
  }

  /** Returns the index of lightness, a and b in `values`. */
  of(colour: number): number {
    const slot = Math.imul(colour, 0x9e3779b1) >>> (32 - Labs.#BITS)
    if (this.#colours[slot] !== colour) this.#compute(colour, slot)
    return 3 * slot
  }

  #compute(colour: number, slot: number): void {
    const alpha = colour >>> 24
    const on = (value: number): number => Math.round((value * alpha + this.#background * (255 - alpha)) / 255)
    this.#colours[slot] = colour
    this.values.set(oklab(on(colour & 255), on((colour >>> 8) & 255), on((colour >>> 16) & 255)), 3 * slot)
  }
}

/** The contrast of pixels to the ground that they stand on, in some rows of a picture at a time. */
class Grounds {
  readonly #width: number
  readonly #areas: Uint8Array
  readonly #labs: Labs
  #top = 0
  #bottom = 0
  /** Pixels of areas among the 7 × 7 around each, in these rows. */
  readonly #counts: Uint8Array
  /** Colours of the areas around a pixel, and how many pixels in a row have each. */
  readonly #colours = new Int32Array((2 * REACH_OF_GROUND + 1) ** 2)
  readonly #times = new Int32Array((2 * REACH_OF_GROUND + 1) ** 2)
  /** 2 and the contrast to the ground, which is -1 where there is none; 0 until it is asked for. */
  readonly #contrasts: Float32Array
  /** 1 and the contrast of a thin pixel, which is 0 for others; 0 until it is asked for. */
  readonly #thin: Float32Array

  constructor(picture: Pixels, background: number, areas: Uint8Array) {
    this.#width = picture.width
    this.#areas = areas
    this.#labs = new Labs(picture, background)
    const size = picture.width * Math.min(picture.height, ROWS + 2 * MARGIN)
    this.#counts = new Uint8Array(size)
    this.#contrasts = new Float32Array(size)
    this.#thin = new Float32Array(size)
  }

  /** Turns to other rows: only pixels `MARGIN` from their ends may be asked for, unless the picture ends there. */
  lookAt(top: number, bottom: number): void {
    this.#top = top
    this.#bottom = bottom
    const width = this.#width
    countAround(this.#areas.subarray(top * width, bottom * width), width, this.#counts)
    this.#contrasts.fill(0)
    this.#thin.fill(0)
  }

  /** Adds a and b of a pixel to a list. */
  pushHue(pixel: number, to: number[]): void {
    const lab = this.#labs.of(this.#labs.colourOf(pixel))
    to.push(this.#labs.values[lab + 1]!, this.#labs.values[lab + 2]!)
  }

  /** The contrast of a pixel of a thin line to its ground, 0 for any other pixel. */
  thinContrast(pixel: number): number {
    const at = pixel - this.#top * this.#width
    if (this.#areas[pixel] === 1 || this.#counts[at]! < LEAST_COUNT) return 0
    if (this.#thin[at] === 0) {
      const y = Math.floor(pixel / this.#width)
      this.#thin[at] = 1 + this.#contrastOfLine(pixel - y * this.#width, y)
    }
    return this.#thin[at]! - 1
  }

  /** The largest contrast of thin pixels in 5 × 5: the core of a stroke counts, its faint rim hardly. */
  largestNear(pixel: number): number {
    const width = this.#width
    const y = Math.floor(pixel / width)
    const x = pixel - y * width
    let largest = 0
    for (let row = Math.max(this.#top, y - 2); row < Math.min(this.#bottom, y + 3); row++) {
      for (let column = Math.max(0, x - 2); column < Math.min(width, x + 3); column++) {
        largest = Math.max(largest, this.thinContrast(row * width + column))
      }
    }
    return largest
  }

  #contrastOfLine(x: number, y: number): number {
    const contrast = this.#contrast(x, y)
    if (contrast < LEAST_CONTRAST) return 0
    for (const [dx, dy] of DIRECTIONS) {
      if (this.#hasGround(x, y, dx, dy) && this.#hasGround(x, y, -dx, -dy)) return contrast
    }
    return 0
  }

  #hasGround(x: number, y: number, dx: number, dy: number): boolean {
    for (let step = 1; step <= REACH_OF_LINE; step++) {
      const contrast = this.#contrast(x + step * dx, y + step * dy)
      if (contrast >= 0 && contrast < LEAST_CONTRAST / 2) return true
    }
    return false
  }

  #contrast(x: number, y: number): number {
    const width = this.#width
    if (x < 0 || y < this.#top || x >= width || y >= this.#bottom) return -1
    const at = (y - this.#top) * width + x
    if (this.#contrasts[at] === 0) this.#contrasts[at] = 2 + this.#contrastToGround(x, y, this.#counts[at]!)
    return this.#contrasts[at]! - 2
  }

  #contrastToGround(x: number, y: number, pixels: number): number {
    const width = this.#width
    const [left, right] = [Math.max(0, x - REACH_OF_GROUND), Math.min(width, x + REACH_OF_GROUND + 1)]
    const [top, bottom] = [Math.max(this.#top, y - REACH_OF_GROUND), Math.min(this.#bottom, y + REACH_OF_GROUND + 1)]
    if (pixels < LEAST_GROUND * (right - left) * (bottom - top)) return -1
    let runs = 0
    for (let row = top; row < bottom; row++) {
      for (let at = row * width + left, end = at + right - left; at < end; at++) {
        if (this.#areas[at] === 0) continue
        const colour = this.#labs.colourOf(at)
        if (runs === 0 || colour !== this.#colours[runs - 1]) {
          this.#colours[runs] = colour
          this.#times[runs++] = 0
        }
        this.#times[runs - 1]!++
      }
    }
    const { values } = this.#labs
    let [l, a, b, squares] = [0, 0, 0, 0]
    for (let run = 0; run < runs; run++) {
      const [times, its] = [this.#times[run]!, this.#labs.of(this.#colours[run]!)]
      const [itsL, itsA, itsB] = [values[its]!, values[its + 1]!, values[its + 2]!]
      l += times * itsL
      a += times * itsA
      b += times * itsB
      squares += times * (itsL * itsL + itsA * itsA + itsB * itsB)
    }
    const deviation = squares / pixels - (l * l + a * a + b * b) / (pixels * pixels)
    if (deviation > MOST_DEVIATION * MOST_DEVIATION) return -1
    const lab = this.#labs.of(this.#labs.colourOf(y * width + x))
    const [dl, da, db] = [values[lab]! - l / pixels, values[lab + 1]! - a / pixels, values[lab + 2]! - b / pixels]
    return Math.sqrt(dl * dl + da * da + db * db)
  }
}

/** Marks plain areas with 1: pixels with the colour of their four neighbours, and pixels of that colour beside them. */
export function findAreas(picture: Pixels): Uint8Array {
  const { width, height, data, channels } = picture
  const areas = new Uint8Array(width * height)
  const isAlike = (one: number, other: number): boolean => {
    for (let c = 0; c < channels; c++) if (data[one * channels + c] !== data[other * channels + c]) return false
    return true
  }
  for (const runs of innerRuns(picture, 1)) {
    for (let run = 0; run < runs.length; run += 3) {
      const first = runs[run]!
      const last = first + runs[run + 1]! - 1
      areas.fill(1, first - 1, last + 2)
      for (const row of [-width, width]) {
        areas.fill(1, first + row, last + row + 1)
        if (isAlike(first, first + row - 1)) areas[first + row - 1] = 1
        if (isAlike(last, last + row + 1)) areas[last + row + 1] = 1
      }
    }
  }
  return areas
}

/** Counts the ones among the 7 × 7 pixels around each, as far as they are in these rows. */
function countAround(areas: Uint8Array, width: number, counts: Uint8Array): void {
  const height = areas.length / width
  const columns = new Uint8Array(width + 2 * REACH_OF_GROUND + 1)
  const first = REACH_OF_GROUND + 1
  const add = (row: number, sign: 1 | -1): void => {
    if (row < 0 || row >= height) return
    for (let x = 0, at = row * width; x < width; x++, at++) columns[first + x]! += sign * areas[at]!
  }
  for (let row = 0; row < REACH_OF_GROUND; row++) add(row, 1)
  for (let row = 0; row < height; row++) {
    add(row + REACH_OF_GROUND, 1)
    add(row - REACH_OF_GROUND - 1, -1)
    let count = 0
    for (let x = 0; x <= 2 * REACH_OF_GROUND; x++) count += columns[x]!
    for (let x = 0, at = row * width; x < width; x++, at++) {
      count += columns[x + 2 * REACH_OF_GROUND + 1]! - columns[x]!
      counts[at] = count
    }
  }
}
