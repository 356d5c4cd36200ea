import { releasePixels } from '../../encoding/release-pixels.ts'
import { isLarge } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { BAND_ROWS, bandsFor, bandsOf } from '../../encoding/sample-rows.ts'
import { PATIENCE, WINDOWS, searchQuality } from '../../encoding/search.ts'
import type { Forecast, SearchOptions, Searched } from '../../encoding/search.ts'
import type { EncodeRequest } from '../../encoding/request.ts'
import { curveOf, encode, isTooLargeForTrellis, optionsOf, plainOptions, thoroughOptions } from './coding.ts'
import type { Coding } from './coding.ts'

/** See `slopeOf`. */
const SLOPE_POWER = 0.5

/** Settings below this are only tried for scores that need them: their blocks are easily seen. */
const LOWEST = 8
const LOWEST_OF_ALL = 2
const POOR = 40

/** The highest setting of quality that is tried. */
export const HIGHEST: number = 98

/**
 * The smallest share of a probe's bytes that a result of the same setting takes. The standard's Huffman tables fit
 * drawings badly.
 */
const FINAL_SHARE = { graphic: 0.35, photograph: 0.7 } as const

/** The smallest share of a sequential file's bytes that its best progressive scans take. */
const SCANS_SHARE = { graphic: 0.88, photograph: 0.95 } as const

const kindOf = ({ graphic }: Picture): keyof typeof FINAL_SHARE => (graphic ? 'graphic' : 'photograph')

/** Returns the bytes above which a file before its progressive scans is of no use. */
export const mostBeforeScans = ({ picture, effort, mostBytes = Infinity }: EncodeRequest): number =>
  mostBytes / (effort === 'fast' ? FINAL_SHARE : SCANS_SHARE)[kindOf(picture)]

/**
 * Points above the target that end the search. A step of the quality setting is one point near a score of 80, and the
 * search has patience for two encodes.
 */
const WINDOW = { ...WINDOWS, default: 0.35 } as const

/** The next lower setting would save 5 % of the bytes, and trying it takes as long as all before. */
const CERTAINTY = { fast: 0, default: 0.5, max: 0 } as const

/** A third probe would correct less than the encoders differ by. */
const FORECAST: Forecast = { most: 2, near: 3, aim: 0.2 }
const ONE_LOOK: Forecast = { most: 1, near: 2, aim: 0.3 }

/**
 * Returns the points that an encoding without trellis and of this score is above one with it at the same setting,
 * about, in photographs: 1.5 at a score of 80, more below. In graphics it may lie below; the final search corrects
 * that.
 */
const plainOffset = (score: number): number => Math.min(3, Math.max(0.5, 1.5 + (80 - score) * 0.13))

/** Facts of another search, to begin with. */
type Known = Pick<SearchOptions, 'start' | 'slope'>

/**
 * Returns the setting at which mozjpeg should reach the target, by way of the plain encoder. The score is what
 * mozjpeg's should be. Only some rows of a large picture are encoded, so bytes are to be compared with those of another
 * probe.
 */
export function probeJpeg(
  request: EncodeRequest,
  coding: Coding,
  most: number = Infinity,
  known?: Known,
): Promise<Searched> {
  const { picture, target, effort } = request
  const isWrittenPlain = isLarge(picture) && isTooLargeForTrellis(picture, coding)
  return onSomeRows(request, ({ picture: rows, scorer, mostBytes = Infinity }) =>
    searchQuality({
      target,
      window: Math.max(1, WINDOWS[effort]),
      patience: PATIENCE.probe[effort],
      forecast: known !== undefined ? ONE_LOOK : effort === 'max' ? undefined : FORECAST,
      mostBytes: Math.min(most, mostBytes / FINAL_SHARE[kindOf(rows)]),
      min: lowest(target),
      max: HIGHEST,
      slopePower: SLOPE_POWER,
      curve: curveOf(coding),
      ...known,
      encode: (quality) => encode(rows, { ...plainOptions(rows), ...optionsOf(coding), quality }),
      score: async (data) => {
        const score = await scorer.sample(data)
        return isWrittenPlain ? score : score - plainOffset(score)
      },
    }),
  )
}

/** Searches among plain results, one of which is the result. Some rows of a large picture tell where to begin. */
export async function searchPlainJpeg(request: EncodeRequest, coding: Coding): Promise<Searched> {
  if (!isLarge(request.picture)) return searchPlain(request, coding)
  const tried = await onSomeRows(request, (some) => searchPlain(some, coding))
  return tried.tooLarge ? tried : searchPlain(request, coding, { start: tried.expected })
}

function searchPlain(
  { picture, scorer, target, mostBytes = Infinity }: EncodeRequest,
  coding: Coding,
  known?: Known,
): Promise<Searched> {
  return searchQuality({
    target,
    window: WINDOWS.fast,
    patience: PATIENCE.final.fast,
    mostBytes: mostBytes / FINAL_SHARE[kindOf(picture)],
    min: lowest(target),
    max: HIGHEST,
    slopePower: SLOPE_POWER,
    curve: curveOf(coding).map(([quality, score]) => [quality, score + plainOffset(score)] as const),
    ...known,
    isSettled: settledFor(picture),
    encode: (quality) => encode(picture, { ...plainOptions(picture), ...optionsOf(coding), quality }),
    score: (data) => scorer.score(data),
  })
}

/** The smallest share of its bytes that a result between it and a failing one must be able to save. */
const WORTH_A_LOOK = 1 / 6

/** Each look at a large result is a decode, a score and the guards of all rows, which takes longer than its encode. */
const settledFor =
  (picture: Picture): SearchOptions['isSettled'] =>
  (passing, failing) =>
    isLarge(picture) && passing.length - failing.length < passing.length * WORTH_A_LOOK

/** Encodes of a large picture after which a result up to 1.5 points above the target ends the search. */
const PATIENCE_WITH_LARGE = 2

/** Searches among results with mozjpeg's trellis. */
export function searchJpeg(
  { picture, scorer, target, effort, mostBytes = Infinity }: EncodeRequest,
  coding: Coding,
  probed: Searched | undefined,
): Promise<Searched> {
  return searchQuality({
    target,
    window: WINDOW[effort],
    certainty: CERTAINTY[effort],
    patience: Math.min(PATIENCE.final[effort], isLarge(picture) ? PATIENCE_WITH_LARGE : Infinity),
    mostBytes: mostBytes / SCANS_SHARE[kindOf(picture)],
    min: lowest(target),
    max: HIGHEST,
    slopePower: SLOPE_POWER,
    curve: curveOf(coding),
    start: probed?.expected,
    // Some rows rise by less than the whole picture.
    slope: isLarge(picture) ? undefined : probed?.slope,
    isSettled: settledFor(picture),
    encode: (quality) =>
      encode(picture, { ...thoroughOptions(picture, coding, effort), ...optionsOf(coding), quality }),
    score: (data) => scorer.score(data),
  })
}

/** Searches where nothing is known yet: quick encodes tell where to begin, in a quarter of the trellis' time. */
export async function searchJpegByProbe(request: EncodeRequest, coding: Coding): Promise<Searched> {
  const probed = await probeJpeg(request, coding)
  return probed.tooLarge ? probed : searchJpeg(request, coding, probed)
}

const lowest = (target: number): number => (target < POOR ? LOWEST_OF_ALL : LOWEST)

/** The bytes that rows tell of a whole picture were off by 0.9 to 1.03. */
const BYTES_OFF = 1.1

/** Points that rows gain less for each point of the whole picture, and that they score too much per point below 80. */
const RISES_LESS = 0.2
const ABOVE_BELOW_80 = 0.12

/**
 * Returns the score of a whole picture, by that of an eighth of its rows. The rows of five pictures of 46 to 90
 * megapixels scored 2 to 4 points above the whole where that scored 57 to 66, and 1 below to 1.1 above at 73 to 81.
 */
const wholeScore = (ofRows: number, target: number): number =>
  target + (ofRows - target - ABOVE_BELOW_80 * (80 - target)) / (1 - RISES_LESS)

/**
 * Searches with an eighth of the rows of a large picture, whose encodes and decodes take as long as those of a picture
 * of a few megapixels. All rows are searched with where the picture is not large, or too low to tell.
 */
async function onSomeRows(
  request: EncodeRequest,
  search: (request: EncodeRequest) => Promise<Searched>,
): Promise<Searched> {
  const { picture, scorer, target, mostBytes = Infinity } = request
  const sample = isLarge(picture) ? bandsFor(picture) : undefined
  if (sample === undefined) return search(request)
  const rows = bandsOf(picture, sample.bands, BAND_ROWS)
  const share = picture.height / rows.height
  const score = async (data: Uint8Array): Promise<number> => wholeScore(await scorer.scoreOf(rows, data), target)
  const scorerOfRows = { ...scorer, score, sample: score }
  try {
    const most = (mostBytes / share) * BYTES_OFF
    const found = await search({ ...request, picture: rows, scorer: scorerOfRows, mostBytes: most })
    return { ...found, estimate: found.estimate * share }
  } finally {
    releasePixels(rows.data)
  }
}
