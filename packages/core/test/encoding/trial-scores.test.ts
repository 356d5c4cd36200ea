import { describe, expect, it } from 'vitest'
import { createPicture } from '../../src/encoding/picture.ts'
import { TrialScores } from '../../src/encoding/trial-scores.ts'
import { createScorer } from '../../src/work/steps/scorer.ts'
import { photo } from '../images.ts'

/** The picture with every level a multiple of a step. */
const inSteps = (data: Uint8Array, step: number): Uint8Array =>
  data.map((value) => Math.min(255, Math.round(value / step) * step))

describe('scores of trials', () => {
  it('of a large picture are told by a sample, and corrected by what was scored as a whole', () => {
    const picture = createPicture(photo(1300, 1000))
    const scorer = createScorer(picture)
    const scores = new TrialScores(scorer)
    const [one, other] = [inSteps(picture.data, 12), inSteps(picture.data, 13)]
    expect(scores.about(one)).toEqual({ score: scorer.samplePixels(one), isWhole: false })
    const whole = scores.whole(one)
    expect(whole).toBe(scorer.scorePixels(one))
    const off = scorer.samplePixels(one) - whole
    expect(scores.about(one).score).toBeCloseTo(whole, 9)
    expect(scores.about(other).score).toBeCloseTo(scorer.samplePixels(other) - off, 9)
    scores.sampleNoMore()
    expect(scores.about(other)).toEqual({ score: scorer.scorePixels(other), isWhole: true })
    scorer.dispose()
  })

  it('of a small picture are whole', () => {
    const picture = createPicture(photo())
    const scorer = createScorer(picture)
    const scores = new TrialScores(scorer)
    const pixels = inSteps(picture.data, 12)
    expect(scores.about(pixels)).toEqual({ score: scorer.scorePixels(pixels), isWhole: true })
    expect(scorer.samplePixels(pixels)).toBe(scorer.scorePixels(pixels))
    scorer.dispose()
  })
})
