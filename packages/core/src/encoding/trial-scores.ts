import type { Scorer } from './request.ts'

/**
 * Scores the pixels that a search tries for one picture. During the search, a sample of the rows suffices. Its result
 * is scored by all rows, and the error of the sample there corrects later estimates.
 */
export class TrialScores {
  readonly #scorer: Pick<Scorer, 'areTrialsSampled' | 'samplePixels' | 'scorePixels' | 'scoreAndSample'>
  #isSampled: boolean
  #off = 0

  constructor(scorer: Pick<Scorer, 'areTrialsSampled' | 'samplePixels' | 'scorePixels' | 'scoreAndSample'>) {
    this.#scorer = scorer
    this.#isSampled = scorer.areTrialsSampled
  }

  /** Returns the score or an estimate of it; `isWhole` tells which. */
  about(pixels: Uint8Array): { score: number; isWhole: boolean } {
    if (!this.#isSampled) return { score: this.#scorer.scorePixels(pixels), isWhole: true }
    return { score: this.#scorer.samplePixels(pixels) - this.#off, isWhole: false }
  }

  /** Returns the score by all rows. */
  whole(pixels: Uint8Array): number {
    if (!this.#isSampled) return this.#scorer.scorePixels(pixels)
    const { whole, sampled } = this.#scorer.scoreAndSample(pixels)
    this.#off = sampled - whole
    return whole
  }

  /** Scores every later trial by all rows, because samples have misled the search. */
  sampleNoMore(): void {
    this.#isSampled = false
  }
}
