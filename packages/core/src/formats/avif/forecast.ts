import type { Picture } from '../../encoding/picture.ts'
import { BAND_ROWS, bandsFor, bandsOf } from '../../encoding/sample-rows.ts'
import { settingAt, slopeOf, typicalScore } from '../../encoding/search.ts'
import type { Curve } from '../../encoding/search.ts'

/** Points that an encode of one band in so many scores above one of the whole photograph: 1.4 ± 0.6 and 1.9 ± 0.5. */
const ABOVE = { 4: 1.4, 8: 1.9 } as const

/**
 * Points above the target that a first encode is to have: half of what ends the search, and a little more, as a miss
 * costs an encode.
 */
const AIM = 1.1

/** A photograph whose setting is to be predicted. */
export interface ForecastRequest {
  readonly picture: Picture
  /** The score to reach. */
  readonly target: number
  /** Scores of the typical picture by the places of settings. */
  readonly curve: Curve
  /** The place of the highest setting that may be used. */
  readonly highest: number
  /** Encodes some of the picture's rows. */
  encode(rows: Picture, step: number): Promise<Uint8Array>
  score(rows: Picture, encoded: Uint8Array): Promise<number>
}

/**
 * Predicts the place of the setting at which a photograph should reach the target, by an encode of some of its rows,
 * which takes a seventh to a third of what an encode of all and its score take; `undefined` of pictures that have too
 * few rows to tell.
 */
export async function forecastStep(request: ForecastRequest): Promise<number | undefined> {
  const { picture, target, curve, highest } = request
  const sample = bandsFor(picture)
  if (sample === undefined) return undefined
  const rows = bandsOf(picture, sample.bands, BAND_ROWS)
  const tried = settingAt(curve, target + AIM, 0, highest)
  const score = (await request.score(rows, await request.encode(rows, tried))) - ABOVE[sample.share]
  const slope = slopeOf(curve, { quality: tried, score })
  return settingAt(curve, typicalScore(curve, tried) + (target + AIM - score) / slope, 0, highest)
}
