import type { Scorer } from './request.ts'

/**
 * Scores of the pixels that a search tries on one picture. While it goes on, a sample of the rows tells enough; what it ends with is
 * scored as a whole, and by how much the sample was off there corrects what it tells of the next.
 */
export class TrialScores {
  readonly #scorer: Pick<Scorer, 'areTrialsSampled' | 'samplePixels' | 'scorePixels' | 'scoreAndSample'>
  #isSampled: boolean
  #off = 0

  constructor(scorer: Pick<Scorer, 'areTrialsSampled' | 'samplePixels' | 'scorePixels' | 'scoreAndSample'>) {
    this.#scorer = scorer
    this.#isSampled = scorer.areTrialsSampled
  }

  /** The score about; `isWhole` where it is the score. */
  about(pixels: Uint8Array): { score: number; isWhole: boolean } {
    if (!this.#isSampled) return { score: this.#scorer.scorePixels(pixels), isWhole: true }
    return { score: this.#scorer.samplePixels(pixels) - this.#off, isWhole: false }
  }

  /** The score, by all rows. */
  whole(pixels: Uint8Array): number {
    if (!this.#isSampled) return this.#scorer.scorePixels(pixels)
    const { whole, sampled } = this.#scorer.scoreAndSample(pixels)
    this.#off = sampled - whole
    return whole
  }

  /** Has every trial from now on scored as a whole, where samples have misled the search. */
  sampleNoMore(): void {
    this.#isSampled = false
  }
}
