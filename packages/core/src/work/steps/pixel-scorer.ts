import { toSrgb } from '../../colour/gamut.ts'
import { MOST_PREPARED_BYTES } from '../../base/limits.ts'
import { countSample, countScore, timePhase } from '../../base/counters.ts'
import type { Picture } from '../../encoding/picture.ts'
import type { Verdict } from '../../encoding/request.ts'
import { createGuards, findRefusal, keptPromise, refusalAtTwice, worseRefusal } from '../../quality/guards/index.ts'
import type { Guards, Refusal, ResultKind } from '../../quality/guards/index.ts'
import { enlargeTwice, isJudgedTwice } from '../../quality/guards/twice.ts'
import { Comparison } from '../../quality/metric/comparison.ts'
import type { Sampled } from '../../quality/metric/prepared-original.ts'
import { sampleShare } from '../../quality/metric/sample-share.ts'
import { createReference } from '../../quality/metric/ssimulacra2.ts'
import type { Pixels, Reference } from '../../quality/metric/ssimulacra2.ts'

/** Judgement of the guards about pixels, without the score. */
export interface Guarded {
  readonly kept: number
  readonly refusal: Refusal | undefined
}

/** Kind and promise by which a result is judged. */
export interface Aim {
  readonly kind: ResultKind
  readonly promise: number
}

/**
 * Points that a result may lose if it is compared with the pixels that browsers show, rather than with ours, which are
 * nearly equal. For 28 results of sources in Adobe RGB and ProPhoto, Chromium's pixels scored at most 1.2 lower for all
 * but one, and over 0.5 lower for 16 of them.
 */
const NEARLY = 0.75

/**
 * Bytes that the original may take as Display P3 screens show it, beside the one that sRGB screens show: that of 0.3
 * megapixels. It is compared once or twice, so a larger one is read again each time.
 */
const MOST_WIDE_BYTES = 8 * 2 ** 20

/** Converts pixels in Display P3 to the sRGB that an sRGB screen shows. */
export const shownInSrgb = (pixels: Pixels): Buffer => toSrgb({ ...pixels, encoding: 'gamma8' }).data as Buffer

/**
 * Compares decoded pixels with a picture, which is prepared at the first score. Pictures in Display P3 are compared as
 * sRGB screens show them, because errors in saturated colours are larger there: by 2 points at 80 in photographs.
 * `onEveryScreen` also compares them as Display P3 screens show them.
 */
export class PixelScorer {
  readonly #picture: Picture
  readonly #isWide: boolean
  readonly #share: number
  readonly #area: number
  #comparison: Comparison | undefined
  #wide: Reference | undefined
  #enlarged: Reference | undefined
  #guards: Guards | undefined

  constructor(picture: Picture) {
    this.#picture = picture
    this.#isWide = picture.space === 'display-p3'
    this.#share = sampleShare(picture)
    this.#area = picture.width * picture.height
  }

  /** Returns the SSIMULACRA2 score of all rows. */
  score = (data: Uint8Array): number => this.scoreAndSample(data).whole

  /** Returns the SSIMULACRA2 score of all rows, and the score of the sampled rows. */
  scoreAndSample = (data: Uint8Array): Sampled =>
    countScore(this.#area, () => {
      const { whole, sampled } = this.#prepared().score(this.#onSrgb({ ...this.#picture, data }))
      return { whole: this.#asBrowsersSee(whole), sampled: this.#asBrowsersSee(sampled) }
    })

  /** Estimates the score from a sample of the rows. Returns the score itself if the sample has all rows. */
  sample = (data: Uint8Array): number => {
    if (this.#share === 1) return this.score(data)
    return countSample(Math.round(this.#area / this.#share), () =>
      this.#asBrowsersSee(this.#prepared().scoreSample(this.#onSrgb({ ...this.#picture, data }))),
    )
  }

  /**
   * Returns the lower of a score and the score of the same pixels on a Display P3 screen, if the picture is in Display
   * P3.
   */
  onEveryScreen(data: Uint8Array, score: number): number {
    if (!this.#isWide) return score
    return countScore(this.#area, () => {
      this.#wide ??= createReference(this.#picture, { maxBytes: MOST_WIDE_BYTES })
      return Math.min(score, this.#asBrowsersSee(this.#wide.score({ ...this.#picture, data })))
    })
  }

  /** Judges pixels by the guards, and by the score at twice the size if the picture is small. */
  guard(data: Uint8Array, aim: Aim): Guarded {
    const { kept, refusal } = this.#measure(data, aim)
    const twice = kept === -Infinity ? undefined : this.#atTwice(data)
    if (twice === undefined) return { kept, refusal }
    return { kept: Math.min(kept, twice), refusal: worseRefusal(refusal, refusalAtTwice(twice, aim.promise)) }
  }

  /**
   * Returns the highest promise that the pixels of a trial keep, if their score is known. A small picture that misses
   * the promise at twice its size is not measured by the guards, which take longer.
   */
  judge(data: Uint8Array, score: number, aim: Aim): Verdict {
    const lowest = this.onEveryScreen(data, score)
    const twice = this.#atTwice(data)
    const refusedAtTwice = twice === undefined ? undefined : refusalAtTwice(twice, aim.promise)
    const { kept, refusal } =
      refusedAtTwice === undefined ? this.#measure(data, aim) : { kept: Infinity, refusal: refusedAtTwice }
    return {
      kept: Math.min(lowest, twice ?? Infinity, kept),
      score: lowest,
      ...(twice !== undefined && { twice }),
      ...(refusal && { refusal }),
    }
  }

  dispose(): void {
    this.#comparison?.dispose()
    this.#wide?.dispose()
    this.#enlarged?.dispose()
    this.#guards?.dispose()
  }

  /** Measures pixels by the guards. */
  #measure(data: Uint8Array, { kind, promise }: Aim): Guarded {
    return timePhase('score', () => {
      this.#guards ??= createGuards(this.#picture)
      const measures = this.#guards.measure({ ...this.#picture, data }, kind)
      return { kept: keptPromise(measures, kind), refusal: findRefusal(measures, promise, kind) }
    })
  }

  /** Returns the score at twice the size; `undefined` if the picture is not small. */
  #atTwice(data: Uint8Array): number | undefined {
    if (!isJudgedTwice(this.#picture)) return undefined
    return countScore(this.#area * 4, () => {
      this.#enlarged ??= createReference(enlargeTwice(this.#onSrgb(this.#picture)))
      return this.#enlarged.score(enlargeTwice(this.#onSrgb({ ...this.#picture, data })))
    })
  }

  #prepared(): Comparison {
    this.#comparison ??= new Comparison(this.#onSrgb(this.#picture), {
      maxBytes: MOST_PREPARED_BYTES,
      share: this.#share,
    })
    return this.#comparison
  }

  #onSrgb<Kind extends Pixels>(pixels: Kind): Kind {
    return this.#isWide ? { ...pixels, data: shownInSrgb(pixels) } : pixels
  }

  #asBrowsersSee(score: number): number {
    return this.#picture.isNear === true && score < 100 ? score - NEARLY : score
  }
}
