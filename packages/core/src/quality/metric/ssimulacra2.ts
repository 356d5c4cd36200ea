import { PixpressError } from '../../errors.ts'
import {
  acquireInstance,
  type Build,
  DISTORTED,
  type MetricInstance,
  fastestBuild,
  OPAQUE,
  ORIGINAL,
  prepareInstance,
  releaseInstance,
} from './instance.ts'
import { CHANNELS, MIN_SIDE, scaleCount, scoreOf } from './weights.ts'

/** A decoded image: interleaved 8-bit sRGB, rows from the top without gaps, alpha not premultiplied. */
export interface Pixels {
  data: Uint8Array
  /** In pixels. */
  width: number
  height: number
  channels: 3 | 4
}

/** Prepared once per search; holds WebAssembly memory until dispose(). */
export interface Reference {
  /** 100 = identical; can be negative */
  score(distorted: Pixels): number
  /**
   * The same of an opaque picture of three channels that is not in memory as a whole: bands of rows from the top, each but the
   * last of a multiple of 32 rows. Not while another score is taken.
   */
  scoreBands(bands: AsyncIterable<Uint8Array>): Promise<number>
  dispose(): void
}

export interface ReferenceOptions {
  /**
   * Bytes of memory that the prepared original may take, by default 320 MiB (an opaque image of 16 megapixels). Above it
   * nothing is prepared: every score reads the original again, at up to 1.7 times the time and with a few megabytes of memory.
   * The score is the same.
   */
  maxBytes?: number
  /** The build of the WebAssembly module; by default the one with SIMD where it can run. */
  build?: Build
}

const DEFAULT_MAX_BYTES = 320 * 2 ** 20

/** The backgrounds that transparent images are judged on: white and black. */
const BACKGROUNDS = [255, 0] as const

/**
 * Bytes of WebAssembly memory that comparing with an original of this size, in pixels, takes: about 21 per pixel (twice
 * that if it has transparency), up to `maxBytes`, then about 1,600 per pixel of width. For callers that share a
 * memory budget among images.
 */
export function metricBytes(
  width: number,
  height: number,
  transparent = false,
  maxBytes: number = DEFAULT_MAX_BYTES,
): number {
  const instance = acquireInstance(fastestBuild())
  const sides = [Math.max(width, MIN_SIDE), Math.max(height, MIN_SIDE)] as const
  const originals = transparent ? BACKGROUNDS.length : 1
  const planes = instance.measure(...sides, false) * originals
  const bytes = planes <= maxBytes ? planes : instance.measure(...sides, true) * originals
  releaseInstance(instance)
  return bytes
}

/**
 * SSIMULACRA 2.1 of images against one original, with everything that depends on the original done once.
 *
 * The metric (Jon Sneyers, Cloudinary, https://github.com/cloudinary/ssimulacra2) scores how alike two images look: 100
 * identical, 90 indistinguishable in a flicker test, 80 indistinguishable side by side, 70 high, 50 medium, 30 low quality.
 * Pixels are taken as sRGB; convert other colour spaces before.
 *
 * Where either image is transparent both are judged on white and on black, as a page may show them on anything, and the
 * lower score counts (the published tool takes greys of 10 % and 90 %). Images with a side below 8 pixels, which the
 * published tool refuses, are mirrored at their edges up to 8.
 *
 * Where an image is like the original nothing is computed: the `data` of the original is read again for each score, and must
 * not change until `dispose()`.
 *
 * Scores agree with the definition in double precision to 0.01. The published tool's own are up to 0.1 lower on photos
 * at medium quality, and up to 2 lower in large bright areas at high quality, as its recursive blur adds up rounding
 * errors.
 *
 * Synchronous: per megapixel about 18 ms here and 15 ms for each score on one core of a server, three times that
 * without SIMD. Keep it off the main thread for large images.
 *
 * @throws PixpressError INTERNAL if the data does not fit the dimensions, or there is no memory; from `score` also for
 * different dimensions and after `dispose()`
 */
export function createReference(original: Pixels, options: ReferenceOptions = {}): Reference {
  const source = checked(original)
  const { width, height } = source
  const transparent = isTransparent(source)
  const build = options.build ?? fastestBuild()
  const strips = metricBytes(width, height, transparent, Infinity) > (options.maxBytes ?? DEFAULT_MAX_BYTES)
  let originals = (transparent ? BACKGROUNDS : [OPAQUE]).map(
    (background) => new PreparedOriginal(build, source, background, strips),
  )

  return {
    score(distorted: Pixels): number {
      const [first, second = first] = originals
      if (!first || !second) throw new PixpressError('INTERNAL', 'The reference of a comparison was disposed')
      if (distorted.width !== original.width || distorted.height !== original.height) {
        throw new PixpressError(
          'INTERNAL',
          `Cannot compare an image of ${distorted.width} × ${distorted.height} pixels with one of ${original.width} × ${original.height}`,
        )
      }
      const other = checked(distorted)
      const blended = isTransparent(other)
      if (!transparent && !blended) return first.score(other, OPAQUE)
      return Math.min(
        first.score(other, blended ? BACKGROUNDS[0] : OPAQUE),
        second.score(other, blended ? BACKGROUNDS[1] : OPAQUE),
      )
    },
    async scoreBands(bands: AsyncIterable<Uint8Array>): Promise<number> {
      const [first] = originals
      if (!first || transparent) throw new PixpressError('INTERNAL', 'Bands are compared with opaque pictures only')
      return first.scoreBands(bands)
    },
    dispose(): void {
      for (const prepared of originals) prepared.dispose()
      originals = []
    },
  }
}

/** SSIMULACRA 2.1 of one pair of images; see `createReference`. */
export function ssimulacra2(original: Pixels, distorted: Pixels): number {
  const reference = createReference(original)
  try {
    return reference.score(distorted)
  } finally {
    reference.dispose()
  }
}

/** An original on one background, in an instance of its own. */
class PreparedOriginal {
  readonly #instance: MetricInstance
  readonly #source: Pixels
  readonly #background: number
  readonly #strips: boolean

  constructor(build: Build, source: Pixels, background: number, strips: boolean) {
    const prepared = prepareInstance(build, source.width, source.height, strips)
    this.#instance = prepared.instance
    this.#strips = prepared.strips
    this.#source = source
    this.#background = background
    if (this.#strips) return
    this.#instance.start(ORIGINAL)
    for (let y = 0; y < source.height; y += this.#instance.batchRows) this.#pushOriginal(y)
  }

  score(distorted: Pixels, background: number): number {
    const instance = this.#instance
    const isComparable = distorted.channels === this.#source.channels && background === this.#background
    if (this.#strips) instance.start(ORIGINAL)
    instance.start(DISTORTED)
    for (let y = 0; y < distorted.height; y += instance.batchRows) {
      if (this.#strips) this.#pushOriginal(y)
      instance.push(
        DISTORTED,
        this.#rows(distorted, y),
        distorted.channels,
        background,
        isComparable ? this.#rows(this.#source, y) : undefined,
      )
    }
    return this.#score()
  }

  async scoreBands(bands: AsyncIterable<Uint8Array>): Promise<number> {
    const instance = this.#instance
    const { width, height } = this.#source
    const batch = instance.batchRows * width * CHANNELS
    if (this.#strips) instance.start(ORIGINAL)
    instance.start(DISTORTED)
    let y = 0
    for await (const band of bands) {
      for (let at = 0; at < band.length; at += batch) {
        if (this.#strips) this.#pushOriginal(y)
        instance.push(DISTORTED, band.subarray(at, at + batch), CHANNELS, OPAQUE)
        y += Math.min(batch, band.length - at) / (width * CHANNELS)
      }
    }
    if (y !== height) throw new PixpressError('INTERNAL', `Bands of ${y} rows are no image of ${height}`)
    return this.#score()
  }

  dispose(): void {
    releaseInstance(this.#instance)
  }

  #pushOriginal(y: number): void {
    this.#instance.push(ORIGINAL, this.#rows(this.#source, y), this.#source.channels, this.#background)
  }

  #rows({ data, width, channels }: Pixels, y: number): Uint8Array {
    return data.subarray(y * width * channels, (y + this.#instance.batchRows) * width * channels)
  }

  #score(): number {
    return scoreOf(this.#instance.sums(), pixelsOfScales(this.#source.width, this.#source.height))
  }
}

function pixelsOfScales(width: number, height: number): number[] {
  return Array.from(
    { length: scaleCount(width, height) },
    (_, scale) => Math.ceil(width / 2 ** scale) * Math.ceil(height / 2 ** scale),
  )
}

/** Refuses data of the wrong length and mirrors small images up to the smallest size the metric is defined for. */
function checked(pixels: Pixels): Pixels {
  const { data, width, height, channels } = pixels
  if (!(width > 0 && height > 0) || data.length !== width * height * channels) {
    throw new PixpressError(
      'INTERNAL',
      `${data.length} bytes are no image of ${width} × ${height} pixels of ${channels} channels`,
    )
  }
  return width >= MIN_SIDE && height >= MIN_SIDE ? pixels : mirrored(pixels)
}

function mirrored({ data, width, height, channels }: Pixels): Pixels {
  const wide = Math.max(width, MIN_SIDE)
  const high = Math.max(height, MIN_SIDE)
  const rowBytes = wide * channels
  const padded = new Uint8Array(rowBytes * high)
  // Bytes by a table: a view for each pixel took 12 s for the comparisons of a column of a million pixels.
  const columns = Uint32Array.from({ length: rowBytes }, (_, at) => {
    return reflect(Math.floor(at / channels), width) * channels + (at % channels)
  })
  for (let y = 0; y < high; y++) {
    const from = reflect(y, height) * width * channels
    const to = y * rowBytes
    for (let at = 0; at < rowBytes; at++) padded[to + at] = data[from + columns[at]!]!
  }
  return { data: padded, width: wide, height: high, channels }
}

/** The coordinate inside an image of `size` that mirroring at its edges shows at `at`: 0 1 2 2 1 0 0 1 … for 3. */
function reflect(at: number, size: number): number {
  const phase = at % (2 * size)
  return phase < size ? phase : 2 * size - 1 - phase
}

function isTransparent({ data, channels }: Pixels): boolean {
  if (channels === 3) return false
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true
  return false
}
