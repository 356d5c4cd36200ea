/** One pass over all frames of an animation answers what its encoders ask of them. */
import type { FrameSource } from './frame-source.ts'
import { ALPHA_BITS, pixelWords } from './frames.ts'

/** The answers of a pass over all frames. */
export interface FrameSurvey {
  /** At most 256 distinct colours: an exact palette exists. */
  readonly paletted: boolean
  /** Few colours for its size: lossless coding may win. `Picture.graphic` asks for the look of a drawing as well. */
  readonly graphic: boolean
  /** How far each frame differs from the one before, in some of the pixels; 0 for the first. */
  readonly differences: readonly number[]
}

const PALETTE = 256

/** The bounds of `Picture.graphic` for colours. */
const PIXELS_PER_COLOUR = 32
const COUNTED_COLOURS = 65_536

/** One pixel in so many tells how far frames differ. */
const PIXELS_APART = 61

const surveys = new WeakMap<FrameSource, Promise<FrameSurvey>>()

/**
 * Goes through all frames, once for each animation.
 * @throws Error where a frame cannot be decoded
 */
export function surveyFrames(source: FrameSource): Promise<FrameSurvey> {
  const known = surveys.get(source)
  if (known !== undefined) return known
  const survey = surveyed(source)
  surveys.set(source, survey)
  return survey
}

async function surveyed(source: FrameSource): Promise<FrameSurvey> {
  const { width, height, count } = source
  const pixels = width * height * count
  const colours = new ColourCount(
    Math.min(COUNTED_COLOURS, Math.max(PALETTE + 1, Math.floor(pixels / PIXELS_PER_COLOUR))),
  )
  const before = new Uint8Array(4 * Math.ceil((width * height) / PIXELS_APART))
  const differences: number[] = []
  for (let index = 0; index < count; index++) {
    const frame = await source.frame(index)
    if (!colours.isFull) colours.add(pixelWords(frame))
    const difference = differenceTo(before, frame)
    differences.push(index === 0 ? 0 : difference)
  }
  return { paletted: colours.count <= PALETTE, graphic: !colours.isFull, differences }
}

/** Sums up how far some pixels of a frame differ from those of the frame before, which become its own. */
function differenceTo(before: Uint8Array, frame: Uint8Array): number {
  let sum = 0
  for (let at = 0, kept = 0; at < frame.length; at += 4 * PIXELS_APART) {
    for (let channel = at; channel < at + 4; channel++, kept++) {
      const value = frame[channel]!
      sum += Math.abs(value - before[kept]!)
      before[kept] = value
    }
  }
  return sum
}

/** Counts distinct colours: opaque ones by a bit for each, as a `Set` would make an object of each large number. */
class ColourCount {
  readonly #most: number
  readonly #opaque = new Uint32Array(2 ** 19)
  readonly #others = new Set<number>()
  #used = 0

  /** @param most colours beyond which nothing is counted */
  constructor(most: number) {
    this.#most = most
  }

  get count(): number {
    return this.#used + this.#others.size
  }

  get isFull(): boolean {
    return this.count >= this.#most
  }

  add(words: Uint32Array): void {
    let before = -1
    for (let at = 0; at < words.length; at++) {
      const colour = words[at]!
      // Long stretches of drawings have one colour.
      if (colour === before) continue
      before = colour
      if (this.#isNew(colour) && this.isFull) return
    }
  }

  #isNew(colour: number): boolean {
    if ((colour & ALPHA_BITS) !== ALPHA_BITS) {
      this.#others.add(colour)
      return true
    }
    const place = ALPHA_BITS < 0 ? colour & 0xff_ff_ff : colour >>> 8
    const bit = 1 << (place & 31)
    const bits = this.#opaque[place >> 5]!
    if ((bits & bit) !== 0) return false
    this.#opaque[place >> 5] = bits | bit
    this.#used++
    return true
  }
}
