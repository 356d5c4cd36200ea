import type { Effort } from '../../base/types.ts'
import { withBands } from '../../encoding/bands.ts'
import { isSmall } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { PATIENCE, WINDOWS, searchQuality } from '../../encoding/search.ts'
import type { Curve, Forecast, Searched, SlopeRule } from '../../encoding/search.ts'
import type { Candidate, EncodeRequest } from '../../encoding/request.ts'
import { openWebpBands } from './bands.ts'
import { hasColourEdges } from './colour-edges.ts'
import { WEBP_EFFORT_4, WEBP_EFFORT_6_SHARP_YUV, WEBP_PHOTOGRAPH, WEBP_PHOTOGRAPH_SHARP_YUV } from './curves.ts'
import { chooseFilter } from './filter-choice.ts'
import type { FilterChoice } from './filter-choice.ts'
import { loopFilterLevel } from './loop-filter.ts'
import type { Others } from './others.ts'
import { encodeLossy, HIGHEST, repairable } from './repair.ts'
import type { Settings } from './repair.ts'
import { isFaint, SHARE_WITH_TRANSPARENCY } from './transparency.ts'

/**
 * Points that a photograph loses at the same setting for each doubling of its pixels, from those of the pictures that
 * the curves are of, and the most doublings: of nine photographs at up to six sizes, the setting for a score of 80 rose
 * by 0.97 for each, the score by 1 for each setting.
 */
const LOST_PER_DOUBLING = 1
const PIXELS_OF_CURVE = 300_000
const MOST_LOST = 4

/** Scores for which settings that blur at once are tried as well. */
const POOR = 40

/**
 * Returns the lowest setting that is tried. Clear pixels are the same at every setting and make up most of some scores:
 * opaque paws on a clear ground kept 80 at setting 16 with grey and pink in their orange. Faint ones look the same.
 */
function lowest(picture: Picture, target: number): number {
  if (target < POOR) return 1
  return picture.channels === 4 && !isFaint(picture) ? Math.round(target / 2) : 11
}

/**
 * Returns the points by which effort 4 scores above effort 2 at the same setting, in the median of photographs; below
 * at low settings.
 */
const effortGain = (quality: number): number => Math.max(-0.5, 0.2 + (quality - 80) * 0.13)

/** Returns the same with sharp chroma conversion, of pictures with many edges between colours. */
const sharpYuvGain = (quality: number): number => Math.max(1.5, 1.5 + (quality - 70) * 0.06)

/**
 * Returns the smallest share of a probe's bytes that a result of the same score takes: less where a picture has few
 * blocks, and where its transparency is packed better.
 */
const finalShare = (picture: Picture): number =>
  picture.channels === 4 ? SHARE_WITH_TRANSPARENCY : isSmall(picture) ? 0.85 : 0.95

/**
 * One probe is as good a start as two or three, which took 4 % more time of small pictures and 12 % more of
 * photographs.
 */
const forecastOf = (picture: Picture): Forecast => ({ most: 1, near: 2, aim: picture.graphic ? 0.3 : 0.1 })

/**
 * A setting is worth a point, and is rounded up: with this aim 17 of 30 photographs took one encode of all rows, and 10
 * two.
 */
const FORECAST_OF_BANDS: Forecast = { most: 2, near: 2, aim: 0.3 }

/**
 * See `slopeOf`. In 341 searches of smaller copies of pictures, the second setting was within 2 of the one that meets
 * a score of 80 for 77 % with this factor, and for 66 % without.
 */
const SLOPE_RULE: SlopeRule = { factor: 0.8 }

/** A setting is worth one to three points where most photographs end, so that a narrow window is met by luck. */
const PHOTOGRAPH_WINDOW = { ...WINDOWS, default: 1.5 } as const

/**
 * A WebP is only encoded again for the fewest bytes: one setting less is 4 % of them, more than may be left to chance.
 */
function finalWindow({ picture, effort, source }: EncodeRequest): number {
  if (isSmall(picture) || source !== undefined) return WINDOWS.max
  return picture.graphic ? WINDOWS[effort] : PHOTOGRAPH_WINDOW[effort]
}

/**
 * An encode at the final effort takes as long as two probes, and the next lower setting saves about 4 % of the bytes.
 */
const CERTAINTY = { fast: 0, default: 0.5, max: 0 } as const

/**
 * The same of small pictures, whose scores jump from setting to setting: the next lower one is left out where it is
 * expected to miss by so much. 120 took 5 % fewer encodes so, and 0.06 % more bytes.
 */
const OF_SMALL = { certainty: -0.6, patience: PATIENCE.final.max - 1 } as const

/**
 * Returns the last effort. Effort 6 compresses an alpha plane by brute force: it takes sixty times as long as effort 5
 * and saves 1 % of the bytes.
 */
function finalEffort(picture: Picture, effort: Effort): number {
  if (effort !== 'max') return 4
  return picture.channels === 4 ? 5 : 6
}

/** A search at one effort, for a setting that keeps the promise. */
interface Search {
  readonly settings: Settings
  /** Points that the written result scores above what is encoded here, by setting. Default: none. */
  readonly gain?: (quality: number) => number
  readonly window: number
  readonly curve: Curve
  readonly patience: number
  readonly certainty?: number
  readonly forecast?: Forecast | undefined
  readonly mostBytes: number
  readonly probed?: Searched | undefined
  readonly score: (data: Uint8Array) => Promise<number>
  /** The choice of loop filters for results. Default: they stay. */
  readonly filter?: FilterChoice | undefined
}

function search(
  { picture, target }: EncodeRequest,
  { settings, gain = () => 0, probed, score, filter, ...bounds }: Search,
): Promise<Searched> {
  return searchQuality({
    ...bounds,
    target,
    min: lowest(picture, target),
    max: HIGHEST,
    start: probed?.expected,
    slope: probed?.slope,
    slopeRule: SLOPE_RULE,
    encode: async (quality) => {
      const data = await encodeLossy(picture, settings, quality)
      return filter === undefined ? data : filter.choose(data)
    },
    score: async (data, quality) => (await score(data)) + gain(quality),
  })
}

/**
 * Encodes at effort 4, from the setting that a quarter of the rows leads to, or where these are too few, probes at
 * effort 2; with sharp chroma conversion where that saves bytes. Against effort 6, such probes take a quarter of the
 * time and the final encodes half, for 3 % more bytes. Efforts 4 and 6 score alike at the same setting.
 */
export async function searchLossy(request: EncodeRequest, others: Others): Promise<Candidate | undefined> {
  const { picture, scorer, effort, mostBytes = Infinity, decline } = request
  const candidate = (found: Searched, settings: Settings): Candidate | undefined => {
    if (!found.tooLarge)
      return repairable(found, settings, { request, others, curveOf: (sharp) => curveOf(picture, sharp) })
    decline?.(found.estimate)
    return undefined
  }
  const whole = { mostBytes, score: scorer.score }
  const smartSubsample = effort !== 'fast' && hasColourEdges(picture)
  const curve = curveOf(picture, smartSubsample)
  const probe = await searchBands(request, curve, smartSubsample)
  if (effort === 'fast') {
    const settings = { effort: 2 }
    if (probe?.tooLarge === true) return candidate(probe, settings)
    const bounds = { window: WINDOWS.fast, patience: 3 }
    return candidate(await search(request, { ...whole, ...bounds, settings, curve, probed: probe }), settings)
  }
  const settings = { effort: finalEffort(picture, effort), smartSubsample }
  const probed = probe ?? (await searchQuickly(request, curve, smartSubsample))
  if (probed?.tooLarge === true) return candidate(probed, settings)
  // Another score of a small picture takes longer than what it saves, and its filters are weaker.
  const filter = isSmall(picture) ? undefined : chooseFilter(scorer, request.target)
  const final = await search(request, {
    ...whole,
    ...(filter && { filter, score: filter.score }),
    settings,
    window: finalWindow(request),
    curve,
    probed,
    certainty: isSmall(picture) ? OF_SMALL.certainty : CERTAINTY[effort],
    patience: isSmall(picture) && effort !== 'max' ? OF_SMALL.patience : PATIENCE.final[effort],
  })
  if (isSmall(picture)) return candidate(await withAllLevels(request, final, settings), settings)
  return candidate(final, { ...settings, isUnfiltered: filter !== undefined && loopFilterLevel(final.data) === 0 })
}

/**
 * Returns a small picture's result with all levels of its transparency where that takes fewer bytes: of 45, two took 2
 * and 3 % fewer, as many levels in order are foretold better than some.
 */
async function withAllLevels(
  { picture, scorer, target }: EncodeRequest,
  final: Searched,
  settings: Settings,
): Promise<Searched> {
  if (picture.channels !== 4 || final.tooLarge || final.score < target) return final
  const data = await encodeLossy(picture, { ...settings, alphaQuality: 100 }, final.quality)
  if (data.length >= final.data.length) return final
  const score = await scorer.score(data)
  return score < target ? final : { ...final, data, score }
}

/**
 * Probes a quarter of a photograph's rows, as they are encoded in the end but for the loop filter, which depends on
 * single blocks. Returns `undefined` where the picture has no such rows.
 */
async function searchBands(
  request: EncodeRequest,
  curve: Curve,
  smartSubsample: boolean,
): Promise<Searched | undefined> {
  const bands = openWebpBands(request, smartSubsample)
  if (bands === undefined) return undefined
  const isQuick = request.effort === 'fast'
  try {
    return await withBands(request, bands, (rows) =>
      search(rows, {
        settings: { effort: isQuick ? 2 : 4, smartSubsample, isUnfiltered: !isQuick },
        window: 1.2,
        curve,
        patience: PATIENCE.probe.default,
        forecast: FORECAST_OF_BANDS,
        mostBytes: rows.mostBytes ?? Infinity,
        score: rows.scorer.score,
      }),
    )
  } finally {
    bands.close()
  }
}

/**
 * Probes all rows at effort 2. Where other types compete, that tells first whether WebP can win; where it is alone, it
 * takes more time than the encode that it saves.
 */
async function searchQuickly(
  request: EncodeRequest,
  curve: Curve,
  smartSubsample: boolean,
): Promise<Searched | undefined> {
  const { picture, scorer, effort, mostBytes = Infinity } = request
  if (mostBytes === Infinity && !picture.graphic && !isSmall(picture) && effort !== 'max') return undefined
  return search(request, {
    settings: { effort: 2 },
    gain: smartSubsample ? sharpYuvGain : effortGain,
    window: 1.2,
    curve,
    patience: PATIENCE.probe[effort],
    forecast: effort === 'max' ? undefined : forecastOf(picture),
    mostBytes: mostBytes / finalShare(picture),
    score: scorer.sample,
  })
}

function curveOf({ graphic, width, height }: Picture, smartSubsample: boolean): Curve {
  if (graphic) return smartSubsample ? WEBP_EFFORT_6_SHARP_YUV : WEBP_EFFORT_4
  const curve = smartSubsample ? WEBP_PHOTOGRAPH_SHARP_YUV : WEBP_PHOTOGRAPH
  const doublings = Math.log2((width * height) / PIXELS_OF_CURVE)
  const loss = Math.min(MOST_LOST, Math.max(-1, doublings)) * LOST_PER_DOUBLING
  return curve.map(([quality, score]) => [quality, score - loss] as const)
}
