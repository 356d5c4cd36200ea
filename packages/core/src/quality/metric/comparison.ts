import { PixpressError } from '../../base/errors.ts'
import { acquireInstance, type Build, fastestBuild, type Held, OPAQUE, releaseInstance } from './instance.ts'
import { checked, isTransparent, type Pixels } from './pixels.ts'
import { BACKGROUNDS, PreparedOriginal, type Sampled } from './prepared-original.ts'
import { MIN_SIDE } from './weights.ts'

/** Memory and sample of a comparison. */
export interface ComparisonOptions {
  /**
   * Bytes of memory that the prepared original may take. If it needs more, every score by all rows reads the original
   * again.
   */
  readonly maxBytes: number
  /** Default: the fastest build that can run. */
  readonly build?: Build
  /** One group of rows in so many is the sample. Default: 1, which compares all rows. */
  readonly share?: number
}

/** Scores an image on one background. */
type ScoreOn<Score> = (prepared: PreparedOriginal, other: Pixels, background: number) => Score

const scoreAll: ScoreOn<Sampled> = (prepared, other, background) => prepared.score(other, background)
const scoreSample: ScoreOn<number> = (prepared, other, background) => prepared.scoreSample(other, background)

/** Returns the bytes of WebAssembly memory that a comparison with an original of this size, in pixels, takes. */
export function bytesHeld(width: number, height: number, transparent: boolean, held: Held): number {
  const instance = acquireInstance(fastestBuild())
  const instances = transparent ? BACKGROUNDS.length : 1
  const bytes = instance.measure(Math.max(width, MIN_SIDE), Math.max(height, MIN_SIDE), held, instances)
  releaseInstance(instance)
  return bytes * instances
}

/** Scores images against one original, by all rows or by a sample; see `createReference` and `sampleShare`. */
export class Comparison {
  readonly #original: Pixels
  readonly #source: Pixels
  readonly #transparent: boolean
  readonly #options: ComparisonOptions
  readonly #whole: Held
  readonly #made = new Map<Held, readonly PreparedOriginal[]>()
  #isDisposed = false

  constructor(original: Pixels, options: ComparisonOptions) {
    this.#original = original
    this.#source = checked(original)
    this.#transparent = isTransparent(this.#source)
    this.#options = options
    this.#whole = this.#fits('all') ? 'all' : 'strips'
    this.#preparedFor(this.#whole)
  }

  /** Returns the score by all rows, and the estimate from those of the sample. */
  score(distorted: Pixels): Sampled {
    const scores = this.#onBackgrounds(distorted, this.#whole, scoreAll)
    const whole = Math.min(...scores.map((each) => each.whole))
    return { whole, sampled: Math.min(...scores.map((each) => each.sampled)) }
  }

  /** Returns the score by the rows of the sample. */
  scoreSample(distorted: Pixels): number {
    const { share = 1 } = this.#options
    const held = this.#whole === 'strips' && share > 1 && this.#fits(share) ? share : this.#whole
    return Math.min(...this.#onBackgrounds(distorted, held, scoreSample))
  }

  /** Returns the score of an opaque picture that comes in bands of rows. */
  async scoreBands(bands: AsyncIterable<Uint8Array>): Promise<number> {
    const [first] = this.#preparedFor(this.#whole)
    if (!first || this.#transparent) throw new PixpressError('INTERNAL', 'Bands are compared with opaque pictures only')
    return first.scoreBands(bands)
  }

  dispose(): void {
    for (const prepared of this.#made.values()) for (const each of prepared) each.dispose()
    this.#made.clear()
    this.#isDisposed = true
  }

  #fits(held: Held): boolean {
    return bytesHeld(this.#source.width, this.#source.height, this.#transparent, held) <= this.#options.maxBytes
  }

  #preparedFor(held: Held): readonly PreparedOriginal[] {
    if (this.#isDisposed) throw new PixpressError('INTERNAL', 'The reference of a comparison was disposed')
    const { build = fastestBuild(), share = 1 } = this.#options
    const prepared =
      this.#made.get(held) ??
      (this.#transparent ? BACKGROUNDS : [OPAQUE]).map(
        (background) => new PreparedOriginal(this.#source, { build, background, held, share }),
      )
    this.#made.set(held, prepared)
    return prepared
  }

  /** If either image is transparent, both are judged on both backgrounds. */
  #onBackgrounds<Score>(distorted: Pixels, held: Held, score: ScoreOn<Score>): Score[] {
    const [first, second = first] = this.#preparedFor(held)
    const { width, height } = this.#original
    if (distorted.width !== width || distorted.height !== height) {
      throw new PixpressError(
        'INTERNAL',
        `Cannot compare an image of ${distorted.width} × ${distorted.height} pixels with one of ${width} × ${height}`,
      )
    }
    const other = checked(distorted)
    const blended = isTransparent(other)
    if (!this.#transparent && !blended) return [score(first!, other, OPAQUE)]
    return [
      score(first!, other, blended ? BACKGROUNDS[0] : OPAQUE),
      score(second!, other, blended ? BACKGROUNDS[1] : OPAQUE),
    ]
  }
}
