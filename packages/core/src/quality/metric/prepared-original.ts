import { PixpressError } from '../../base/errors.ts'
import { type Build, DISTORTED, type Held, type MetricInstance, OPAQUE, ORIGINAL } from './instance.ts'
import { prepareInstance, releaseInstance } from './instance.ts'
import type { Pixels } from './pixels.ts'
import { CHANNELS, scaleCount, scoreOf } from './weights.ts'

/** Background of a comparison, and the part of the original that stays in memory. */
export interface Preparation {
  readonly build: Build
  /** The grey (0…255) behind transparent pixels, or `OPAQUE`. */
  readonly background: number
  readonly held: Held
  /** One group of rows in so many is the sample, see `Sampled`. Default: 1, which compares all rows. */
  readonly share?: number
}

/** The backgrounds that transparent images are judged on: white and black. */
export const BACKGROUNDS = [255, 0] as const

/** A score, and what the rows of the sample alone tell of it. */
export interface Sampled {
  readonly whole: number
  readonly sampled: number
}

/** An original on one background, in a WebAssembly instance of its own. */
export class PreparedOriginal {
  readonly #instance: MetricInstance
  readonly #source: Pixels
  readonly #background: number
  readonly #held: Held
  readonly #share: number
  readonly #pixels: readonly number[]
  readonly #pixelsOfSample: readonly number[]

  constructor(source: Pixels, { build, background, held, share = 1 }: Preparation) {
    const prepared = prepareInstance(build, source, held, background === OPAQUE ? 1 : BACKGROUNDS.length)
    this.#instance = prepared.instance
    this.#held = prepared.held
    this.#share = share
    this.#source = source
    this.#background = background
    this.#instance.setSample(share, typeof held === 'number')
    const scales = sizesOfScales(source)
    this.#pixels = scales.map(({ width, height }) => width * height)
    this.#pixelsOfSample = scales.map(({ width, height }, scale) => width * this.#instance.sampledRows(scale, height))
    if (this.#held === 'strips') return
    this.#instance.start(ORIGINAL)
    for (let y = 0; y < source.height; y += this.#instance.batchRows) this.#pushOriginal(y)
  }

  /**
   * Returns the score by all rows, and the score by the rows of the sample. It must not be called if only a sample is
   * held.
   */
  score(distorted: Pixels, background: number): Sampled {
    this.#instance.setSample(this.#share, false)
    this.#compare(distorted, background)
    return { whole: scoreOf(this.#instance.sums(), this.#pixels), sampled: this.#sampled() }
  }

  /** Returns the score by the rows of the sample. */
  scoreSample(distorted: Pixels, background: number): number {
    this.#instance.setSample(this.#share, true)
    this.#compare(distorted, background)
    return this.#sampled()
  }

  async scoreBands(bands: AsyncIterable<Uint8Array>): Promise<number> {
    const instance = this.#instance
    const { width, height } = this.#source
    const batch = instance.batchRows * width * CHANNELS
    instance.setSample(this.#share, false)
    if (this.#held === 'strips') instance.start(ORIGINAL)
    instance.start(DISTORTED)
    let y = 0
    for await (const band of bands) {
      for (let at = 0; at < band.length; at += batch) {
        if (this.#held === 'strips') this.#pushOriginal(y)
        instance.push(DISTORTED, band.subarray(at, at + batch), { channels: CHANNELS, background: OPAQUE })
        y += Math.min(batch, band.length - at) / (width * CHANNELS)
      }
    }
    if (y !== height) throw new PixpressError('INTERNAL', `Bands of ${y} rows are no image of ${height}`)
    return scoreOf(instance.sums(), this.#pixels)
  }

  dispose(): void {
    releaseInstance(this.#instance)
  }

  #compare(distorted: Pixels, background: number): void {
    const instance = this.#instance
    const isComparable = distorted.channels === this.#source.channels && background === this.#background
    if (this.#held === 'strips') instance.start(ORIGINAL)
    instance.start(DISTORTED)
    for (let y = 0; y < distorted.height; y += instance.batchRows) {
      if (this.#held === 'strips') this.#pushOriginal(y)
      const original = isComparable ? this.#rows(this.#source, y) : undefined
      instance.push(DISTORTED, this.#rows(distorted, y), { channels: distorted.channels, background, original })
    }
  }

  #pushOriginal(y: number): void {
    const form = { channels: this.#source.channels, background: this.#background }
    this.#instance.push(ORIGINAL, this.#rows(this.#source, y), form)
  }

  #rows({ data, width, channels }: Pixels, y: number): Uint8Array {
    return data.subarray(y * width * channels, (y + this.#instance.batchRows) * width * channels)
  }

  #sampled(): number {
    return scoreOf(this.#instance.sums('sample'), this.#pixelsOfSample)
  }
}

function sizesOfScales({ width, height }: Pixels): { width: number; height: number }[] {
  return Array.from({ length: scaleCount(width, height) }, (_, scale) => ({
    width: Math.ceil(width / 2 ** scale),
    height: Math.ceil(height / 2 ** scale),
  }))
}
