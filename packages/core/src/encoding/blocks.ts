/** Blocks of 8 × 8 pixels, by what is in them. JPEG's artefacts stay within such blocks. */

/** Interleaved samples of 8 bits, row by row. */
export interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
}

/** Shares of all blocks. */
export interface Blocks {
  /** Quiet blocks whose mean differs a little from that of the quiet block before: light that falls off. */
  readonly slopes: number
  /** Blocks with differences that are no line on a ground. */
  readonly textures: number
  /** Blocks with a strong difference, most pixels of which are about equally bright: lines and letters on a ground. */
  readonly lines: number
}

const SIDE = 8
const PIXELS = SIDE * SIDE

/**
 * Differences between the least and the most of a channel, in levels, up to which a block is quiet, and from which on
 * it may hold a line.
 */
const QUIET = 6
const STRONG = 48

/** Differences between the means of two quiet blocks that are a slope, in levels. Drawings have equal ones or edges. */
const SLOPE = { least: 0.5, most: 12 } as const

/** Pixels of a block that are a ground if their brightness lies within three neighbouring classes of 8 levels. */
const GROUND = 40
const CLASSES = 32

/** Weights of red, green and blue in the brightness, out of 16. */
const [RED, GREEN, BLUE] = [5, 9, 2]

/** Goes through every row of whole blocks, or one of so many. */
export function blocksOf(pixels: Pixels, step = 1): Blocks {
  const across = Math.floor(pixels.width / SIDE)
  const down = Math.floor(pixels.height / SIDE)
  const means = new Float64Array(pixels.channels)
  const before = new Float64Array(pixels.channels)
  let [blocks, slopes, textures, lines] = [0, 0, 0, 0]
  for (let y = 0; y < down; y += step) {
    let wasQuiet = false
    for (let x = 0; x < across; x++, blocks++) {
      const first = (y * SIDE * pixels.width + x * SIDE) * pixels.channels
      const span = spanOf(pixels, first, means)
      const isQuiet = span <= QUIET
      if (isQuiet && wasQuiet && isSlope(means, before)) slopes++
      if (!isQuiet && span >= STRONG && hasGround(pixels, first)) lines++
      else if (!isQuiet) textures++
      wasQuiet = isQuiet
      before.set(means)
    }
  }
  const all = Math.max(1, blocks)
  return { slopes: slopes / all, textures: textures / all, lines: lines / all }
}

/** Returns the largest difference within one channel of a block, and writes the means of the channels. */
function spanOf({ data, width, channels }: Pixels, first: number, means: Float64Array): number {
  let span = 0
  for (let channel = 0; channel < channels; channel++) {
    let [least, most, sum] = [255, 0, 0]
    for (let row = 0; row < SIDE; row++) {
      let at = first + row * width * channels + channel
      for (let x = 0; x < SIDE; x++, at += channels) {
        const value = data[at]!
        sum += value
        if (value < least) least = value
        if (value > most) most = value
      }
    }
    means[channel] = sum / PIXELS
    span = Math.max(span, most - least)
  }
  return span
}

function isSlope(means: Float64Array, before: Float64Array): boolean {
  let most = 0
  for (let channel = 0; channel < 3; channel++) most = Math.max(most, Math.abs(means[channel]! - before[channel]!))
  return most >= SLOPE.least && most < SLOPE.most
}

const classes = new Uint8Array(CLASSES)

function hasGround({ data, width, channels }: Pixels, first: number): boolean {
  classes.fill(0)
  for (let row = 0; row < SIDE; row++) {
    let at = first + row * width * channels
    for (let x = 0; x < SIDE; x++, at += channels) {
      classes[(RED * data[at]! + GREEN * data[at + 1]! + BLUE * data[at + 2]!) >> 7]!++
    }
  }
  for (let index = 2; index < CLASSES; index++) {
    if (classes[index - 2]! + classes[index - 1]! + classes[index]! >= GROUND) return true
  }
  return false
}
