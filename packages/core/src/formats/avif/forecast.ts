import type { Picture } from '../../encoding/picture.ts'
import { bandsOf } from '../../encoding/sample-rows.ts'
import { settingAt, slopeOf, typicalScore } from '../../encoding/search.ts'
import type { Curve } from '../../encoding/search.ts'

/** Rows of a band: those of libaom's largest blocks, so that no block has pixels of two bands. */
const BAND_ROWS = 64

/**
 * One band in so many, and the points that the bands of a photograph score above all of it, by pixels. Of 15 photographs at up to four
 * sizes, all of it was 1.4 ± 0.6 points below a quarter and 1.9 ± 0.5 below an eighth. An eighth of smaller pictures was up to 17
 * points off, and a smaller copy of a picture 1 to 3.
 */
const SAMPLES = [
  { pixels: 2_000_000, share: 8, above: 1.9 },
  { pixels: 500_000, share: 4, above: 1.4 },
] as const

/** Points above the target that a first encode is to have: half of what ends the search. */
const AIM = 0.9

/** Bands below which one of them would weigh too much: of pictures that are far wider than high. */
const LEAST_BANDS = 3

export interface ForecastRequest {
  readonly picture: Picture
  /** The score to reach. */
  readonly target: number
  /** Scores of the typical picture by the places of settings. */
  readonly curve: Curve
  /** The place of the highest setting that may be used. */
  readonly highest: number
  /** An encode of some of the picture's rows. */
  encode(rows: Picture, step: number): Promise<Uint8Array>
  score(rows: Picture, encoded: Uint8Array): Promise<number>
}

/**
 * The place of the setting at which a photograph should reach the target, by an encode of some of its rows, which takes a seventh to a
 * third of what an encode of all and its score take; `undefined` of pictures that have too few rows to tell.
 */
export async function forecastStep(request: ForecastRequest): Promise<number | undefined> {
  const { picture, target, curve, highest } = request
  const bandsIn = (share: number): number => Math.round(picture.height / (BAND_ROWS * share))
  const sample = SAMPLES.find(
    ({ pixels, share }) => picture.width * picture.height >= pixels && bandsIn(share) >= LEAST_BANDS,
  )
  if (sample === undefined) return undefined
  const rows = bandsOf(picture, bandsIn(sample.share), BAND_ROWS)
  const tried = settingAt(curve, target + AIM, 0, highest)
  const score = (await request.score(rows, await request.encode(rows, tried))) - sample.above
  const slope = slopeOf(curve, { quality: tried, score })
  return settingAt(curve, typicalScore(curve, tried) + (target + AIM - score) / slope, 0, highest)
}
