import { withBands } from '../../encoding/bands.ts'
import type { Bands } from '../../encoding/bands.ts'
import { isLarge } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { PATIENCE, WINDOWS, searchQuality } from '../../encoding/search.ts'
import type { Forecast, SearchOptions, Searched, SlopeRule } from '../../encoding/search.ts'
import type { EncodeRequest } from '../../encoding/request.ts'
import { hasBands, openJpegBands } from './bands.ts'
import { encode, isTooLargeForTrellis, optionsOf, plainOptions, thoroughOptions } from './coding.ts'
import type { Coding } from './coding.ts'
import { curveFrom } from './source-curve.ts'

/** See `slopeOf`. */
const SLOPE_RULE: SlopeRule = { power: 0.5 }

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

/** The next lower setting would save 3 to 5 % of the bytes, and trying it takes about a quarter of the time of all. */
const CERTAINTY = { fast: 0, default: 0.25, max: 0 } as const

/** The same where bands told the setting to begin with, and little is known of how the score rises from there. */
const CERTAINTY_AFTER_BANDS = { ...CERTAINTY, default: 0 } as const

/** A third probe would correct less than the encoders differ by. */
const FORECAST: Forecast = { most: 2, near: 3, aim: 0.2 }

/** One look is enough where another search told the setting nearly. */
export const ONE_LOOK: Forecast = { most: 1, near: 2, aim: 0.3 }

/** Points that bands have to be aimed higher: their forecasts miss by more, and a miss costs an encode of all rows. */
const MORE_OF_BANDS = 0.2

/**
 * Returns the points that an encoding without trellis and of this score is above one with it at the same setting,
 * about, in photographs: 1.5 at a score of 80, more below. In graphics it may lie below; the final search corrects
 * that.
 */
const plainOffset = (score: number): number => Math.min(3, Math.max(0.5, 1.5 + (80 - score) * 0.13))

/** Facts of another search, to begin with, and what is enough of this one. */
type Known = Partial<Pick<SearchOptions, 'start' | 'slope' | 'window' | 'forecast'>>

/**
 * Ends a search with bands where it looks for a quick result. The window of that is so wide that bands need not reach
 * the target themselves.
 */
const QUICK_FORECAST: Known = { forecast: { most: 2, near: 3, aim: 0.35 } }

/** A request, and some rows of its picture if these can tell of all. */
export interface Probing {
  readonly request: EncodeRequest
  readonly bands: Bands | undefined
}

/**
 * Returns the setting at which mozjpeg should reach the target, by way of the plain encoder. The score is what
 * mozjpeg's should be.
 * @param most estimated bytes of all rows that are of use
 */
export function probeJpeg(
  { request, bands }: Probing,
  coding: Coding,
  most: number = Infinity,
  known?: Known,
): Promise<Searched> {
  const { picture, target, effort } = request
  const isWrittenPlain = isLarge(picture) && isTooLargeForTrellis(picture, coding)
  const forecast = known?.forecast ?? FORECAST
  const aim = forecast.aim + (bands === undefined ? 0 : MORE_OF_BANDS)
  return withBands(request, bands, ({ picture: rows, scorer, mostBytes = Infinity }) =>
    searchQuality({
      target,
      window: Math.max(1, WINDOWS[effort]),
      patience: PATIENCE.probe[effort],
      mostBytes: Math.min(most / (bands?.share ?? 1), mostBytes / FINAL_SHARE[kindOf(rows)]),
      min: lowest(target),
      max: HIGHEST,
      slopeRule: SLOPE_RULE,
      curve: curveFrom(request, coding),
      ...known,
      forecast: known?.forecast === undefined && effort === 'max' ? undefined : { ...forecast, aim },
      encode: (quality) => encode(rows, { ...plainOptions(rows), ...optionsOf(coding), quality }),
      score: async (data) => {
        const score = await scorer.sample(data)
        return isWrittenPlain ? score : score - plainOffset(score)
      },
    }),
  )
}

/** Searches among plain results, one of which is the result. Bands tell where to begin. */
export async function searchPlainJpeg(request: EncodeRequest, coding: Coding): Promise<Searched> {
  const tried = await whileBandsAreOpen(
    request,
    async ({ bands }) => bands && withBands(request, bands, (some) => searchPlain(some, coding, QUICK_FORECAST)),
  )
  return tried?.tooLarge === true ? tried : searchPlain(request, coding, tried && { start: tried.expected })
}

function searchPlain(
  { picture, source, scorer, target, mostBytes = Infinity }: EncodeRequest,
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
    slopeRule: SLOPE_RULE,
    curve: curveFrom({ source, target }, coding).map(
      ([quality, score]) => [quality, score + plainOffset(score)] as const,
    ),
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
  { picture, source, scorer, target, effort, mostBytes = Infinity }: EncodeRequest,
  coding: Coding,
  probed: Searched | undefined,
): Promise<Searched> {
  return searchQuality({
    target,
    window: WINDOW[effort],
    certainty: (hasBands(picture) ? CERTAINTY_AFTER_BANDS : CERTAINTY)[effort],
    patience: Math.min(PATIENCE.final[effort], isLarge(picture) ? PATIENCE_WITH_LARGE : Infinity),
    mostBytes: mostBytes / SCANS_SHARE[kindOf(picture)],
    min: lowest(target),
    max: HIGHEST,
    slopeRule: SLOPE_RULE,
    curve: curveFrom({ source, target }, coding),
    start: probed?.expected,
    slope: isLarge(picture) ? undefined : probed?.slope,
    isSettled: settledFor(picture),
    encode: (quality) =>
      encode(picture, { ...thoroughOptions(picture, coding, effort), ...optionsOf(coding), quality }),
    score: (data) => scorer.score(data),
  })
}

/** Searches where nothing is known yet: quick encodes tell where to begin, in a quarter of the trellis' time. */
export async function searchJpegByProbe(request: EncodeRequest, coding: Coding): Promise<Searched> {
  const probed = await whileBandsAreOpen(request, (probing) => probeJpeg(probing, coding))
  return probed.tooLarge ? probed : searchJpeg(request, coding, probed)
}

const lowest = (target: number): number => (target < POOR ? LOWEST_OF_ALL : LOWEST)

/** Opens bands for some searches, and closes them before all rows are worked on. */
export async function whileBandsAreOpen<T>(request: EncodeRequest, use: (probing: Probing) => Promise<T>): Promise<T> {
  const bands = openJpegBands(request)
  try {
    return await use({ request, bands })
  } finally {
    bands?.close()
  }
}
