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

/** How pixels did by the guards alone. */
export interface Guarded {
  readonly kept: number
  readonly refusal: Refusal | undefined
}

/** What a result is judged for. */
export interface Aim {
  readonly kind: ResultKind
  readonly promise: number
}

/**
 * Points that a result scores less against what browsers show of its source than against pixels that are nearly that.
 * 28 results of sources in Adobe RGB and ProPhoto were measured: Chromium showed all but one at up to 1.2 less, 16 of
 * them at over 0.5 less.
 */
const NEARLY = 0.75

/** Pixels in Display P3 as a screen of sRGB shows them. */
export const shownInSrgb = (pixels: Pixels): Buffer => toSrgb({ ...pixels, encoding: 'gamma8' }).data as Buffer

/**
 * Compares decoded pixels with a picture, whose side of the comparison is prepared once, at the first score that is
 * asked for. Pictures in Display P3 are compared as screens of sRGB show them, on which errors of saturated colours are
 * larger: by 2 points of 80 in photographs. `onEveryScreen` compares them as screens of Display P3 show them, too.
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

  /** SSIMULACRA 2 of all rows. */
  score = (data: Uint8Array): number => this.scoreAndSample(data).whole

  /** SSIMULACRA 2 by all rows and by the sample of them. */
  scoreAndSample = (data: Uint8Array): Sampled =>
    countScore(this.#area, () => {
      const { whole, sampled } = this.#prepared().score(this.#onSrgb({ ...this.#picture, data }))
      return { whole: this.#asBrowsersSee(whole), sampled: this.#asBrowsersSee(sampled) }
    })

  /** What a sample of the rows tells of the score; the score where all rows are in the sample. */
  sample = (data: Uint8Array): number => {
    if (this.#share === 1) return this.score(data)
    return countSample(Math.round(this.#area / this.#share), () =>
      this.#asBrowsersSee(this.#prepared().scoreSample(this.#onSrgb({ ...this.#picture, data }))),
    )
  }

  /** SSIMULACRA 2 of all rows that come in bands of whole rows, from the top. */
  async scoreBands(decoded: AsyncIterable<Uint8Array>): Promise<number> {
    const bands = this.#isWide ? bandsInSrgb(decoded, this.#picture) : decoded
    return this.#asBrowsersSee(await countScore(this.#area, () => this.#prepared().scoreBands(bands)))
  }

  /** The lower of a score and that of the same pixels on a screen of Display P3, where the picture is in it. */
  onEveryScreen(data: Uint8Array, score: number): number {
    if (!this.#isWide) return score
    return countScore(this.#area, () => {
      this.#wide ??= createReference(this.#picture, { maxBytes: MOST_PREPARED_BYTES })
      return Math.min(score, this.#asBrowsersSee(this.#wide.score({ ...this.#picture, data })))
    })
  }

  /** What the guards say of pixels; of small pictures, what the score at twice the size says as well. */
  guard(data: Uint8Array, { kind, promise }: Aim): Guarded {
    const pixels = { ...this.#picture, data }
    const { kept, refusal } = timePhase('score', () => {
      this.#guards ??= createGuards(this.#picture)
      const measures = this.#guards.measure(pixels, kind)
      return { kept: keptPromise(measures, kind), refusal: findRefusal(measures, promise, kind) }
    })
    if (!isJudgedTwice(this.#picture) || kept === -Infinity) return { kept, refusal }
    return countScore(this.#area * 4, () => {
      this.#enlarged ??= createReference(enlargeTwice(this.#onSrgb(this.#picture)))
      const twice = this.#enlarged.score(enlargeTwice(this.#onSrgb(pixels)))
      return { kept: Math.min(kept, twice), refusal: worseRefusal(refusal, refusalAtTwice(twice, promise)) }
    })
  }

  /** The highest promise that pixels keep whose score is known. */
  judge(data: Uint8Array, score: number, aim: Aim): Verdict {
    const { kept, refusal } = this.guard(data, aim)
    const lowest = this.onEveryScreen(data, score)
    return { kept: Math.min(lowest, kept), score: lowest, ...(refusal && { refusal }) }
  }

  dispose(): void {
    this.#comparison?.dispose()
    this.#wide?.dispose()
    this.#enlarged?.dispose()
    this.#guards?.dispose()
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

async function* bandsInSrgb(
  bands: AsyncIterable<Uint8Array>,
  { width }: Pick<Picture, 'width'>,
): AsyncGenerator<Buffer> {
  for await (const data of bands) yield shownInSrgb({ data, width, height: data.length / 3 / width, channels: 3 })
}
