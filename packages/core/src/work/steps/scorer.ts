import type { Scorer, Verdict } from '../../encoding/request.ts'
import { detectType } from '../../base/detect.ts'
import { scoreOfSeen, scoreOfWhole } from '../../encoding/result-kind.ts'
import { worseRefusal } from '../../quality/guards/index.ts'
import type { ResultKind } from '../../quality/guards/index.ts'
import { areTrialsSampled } from '../../quality/metric/sample-share.ts'
import { leaveRoomFor } from '../../quality/metric/idle-memory.ts'
import { LargeResults } from './large-results.ts'
import type { Written } from './large-results.ts'
import { PixelScorer } from './pixel-scorer.ts'
import type { Guarded } from './pixel-scorer.ts'
import { showEncoded } from './shown.ts'
import type { Shown } from './shown.ts'
import { isLarge } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { timePhase } from '../../base/counters.ts'

/**
 * A result's pixels of at most this many bytes are kept until the next result: about ten megapixels, or three of more
 * than 8 bits.
 */
const MOST_SHOWN_BYTES = 32 * 2 ** 20

/** Default promise that refusals refer to. */
const USUAL_PROMISE = 80

/** A scorer that can be kept for the next job of the same picture. */
export interface PictureScorer extends Scorer {
  /** Releases the pixels of results. The prepared picture stays. */
  forget(): void
}

/** Creates a scorer of encoded bytes and of decoded pixels against a picture, which is prepared at the first score. */
export function createScorer(picture: Picture): PictureScorer {
  leaveRoomFor(picture)
  const pixels = new PixelScorer(picture)
  const results = new ShownResults(picture)
  const large = isLarge(picture) ? new LargeResults(picture, pixels) : undefined
  /** Returns what judges a large result in one decode; `undefined` of all others. */
  const largeOf = (encoded: Uint8Array): LargeResults | undefined =>
    detectType(encoded) === 'image/jpeg' ? large : undefined
  const score = async (encoded: Uint8Array, kind?: ResultKind): Promise<number> =>
    largeOf(encoded)?.score(encoded) ?? scoreOfSeen(await results.scoreWith(encoded, pixels.score), picture, kind)
  return {
    areTrialsSampled: areTrialsSampled(picture),
    scorePixels: pixels.score,
    samplePixels: pixels.sample,
    scoreAndSample: pixels.scoreAndSample,
    judgePixels: (data, kind, scored, promise = USUAL_PROMISE) => pixels.judge(data, scored, { kind, promise }),
    score,
    sample: async (encoded) =>
      largeOf(encoded)?.score(encoded) ?? scoreOfSeen(await results.scoreWith(encoded, pixels.sample), picture),
    ofPart: createScorer,
    async promiseKeptBy(encoded, kind, scored, promise = USUAL_PROMISE) {
      const written = { encoded, score: scored, aim: { kind, promise } }
      return largeOf(encoded)?.judge(written) ?? judgeShown(picture, pixels, results, written)
    },
    forget: () => results.forget(),
    dispose() {
      results.forget()
      pixels.dispose()
    },
  }
}

/**
 * Decodes results and keeps the last one, because it is mostly the one that is selected, and judged by the guards next.
 */
class ShownResults {
  readonly #picture: Picture
  #last: { readonly encoded: Uint8Array; readonly shown: Shown } | undefined

  constructor(picture: Picture) {
    this.#picture = picture
  }

  async show(encoded: Uint8Array): Promise<Shown> {
    if (this.#last?.encoded === encoded) return this.#last.shown
    this.forget()
    const shown = await timePhase('score', () => showEncoded(encoded, this.#picture))
    this.#last = { encoded, shown }
    return shown
  }

  async scoreWith(encoded: Uint8Array, scoreOfPixels: (pixels: Uint8Array) => number): Promise<number> {
    const shown = await this.show(encoded)
    const score = scoreOfPixels(timePhase('score', () => shown.pixels(0)))
    if (shown.bytes > MOST_SHOWN_BYTES) this.forget()
    return score
  }

  forget(): void {
    this.#last?.shown.release()
    this.#last = undefined
  }
}

/** Returns the highest promise that a result keeps in every decoder, with the lowest of its scores. */
async function judgeShown(
  picture: Picture,
  pixels: PixelScorer,
  results: ShownResults,
  { encoded, score, aim }: Written,
): Promise<Verdict> {
  const shown = await results.show(encoded)
  let lowest = scoreOfWhole(score, picture, aim.kind)
  let worst: Guarded = { kept: Infinity, refusal: undefined }
  for (let way = 0; way < shown.ways; way++) {
    const data = timePhase('score', () => shown.pixels(way))
    if (way > 0) lowest = Math.min(lowest, pixels.score(data))
    lowest = pixels.onEveryScreen(data, lowest)
    const { kept, refusal } = pixels.guard(data, aim)
    worst = { kept: Math.min(worst.kept, kept), refusal: worseRefusal(worst.refusal, refusal) }
  }
  results.forget()
  const { kept, refusal } = worst
  const ofSeen = scoreOfSeen(lowest, picture, aim.kind)
  return { kept: Math.min(kept, ofSeen), score: ofSeen, ...(refusal && { refusal }) }
}
