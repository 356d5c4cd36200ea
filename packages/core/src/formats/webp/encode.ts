import sharp from 'sharp'
import type { WebpOptions } from 'sharp'
import type { Effort, ResolvedSettings } from '../../types.ts'
import { fromPicture } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { PATIENCE, WINDOWS, searchQuality } from '../../encoding/search.ts'
import type { Curve, Forecast, Searched } from '../../encoding/search.ts'
import { raisable } from '../../encoding/raise.ts'
import { searchPalettes } from '../../encoding/palette.ts'
import type { Candidate, EncodeRequest, Encoder } from '../../encoding/request.ts'
import { hasColourEdges } from './colour-edges.ts'
import { WEBP_EFFORT_4, WEBP_EFFORT_6_SHARP_YUV, WEBP_PHOTOGRAPH, WEBP_PHOTOGRAPH_SHARP_YUV } from './curves.ts'
import { isLossyWebp } from './lossy.ts'
import { counted } from '../../encoding/counted.ts'
import { sampleRows } from '../../encoding/sample-rows.ts'

/** Bytes per pixel below which a lossless result cannot be beaten by a margin that is worth a search. */
const HARDLY_ANYTHING = 0.01

/** The quality setting this far below the target's number has never reached it, in drawings or photographs. */
const TOO_LOW = 20

/** The highest lossy setting. */
const HIGHEST = 99

/**
 * Points that a photograph loses at the same setting for each doubling of its pixels, from those of the pictures that the curves are of,
 * and the most doublings: of nine photographs at up to six sizes, the setting for a score of 80 rose by 0.97 for each, the score by 1 for
 * each setting.
 */
const LOST_PER_DOUBLING = 1
const PIXELS_OF_CURVE = 300_000
const MOST_LOST = 4

/** Levels of libwebp's near-lossless preprocessing, from strong to weak: they score about 91, 94, 96 and 97. */
const NEAR_LOSSLESS = [20, 40, 60, 80] as const

/**
 * Which coding is smallest depends on the picture. A drawing is encoded losslessly, also in the fewest colours that keep
 * the promise, and lossily by search where that may be smaller. A photograph is encoded lossily by search; where that
 * cannot keep the promise, often because of halved chroma in small pictures, near-losslessly and losslessly.
 */
export const encodeWebp: Encoder = async (request) => {
  const { picture, target, mostBytes = Infinity } = request
  if (mostBytes === 0) return []
  const candidates = picture.graphic ? await drawn(request) : []
  const bytes = Math.min(mostBytes, ...candidates.map(({ data }) => data.length))
  if (candidates.length > 0 && (await cannotWin(request, bytes))) return candidates
  const searched = await lossy({ ...request, mostBytes: bytes })
  if (searched !== undefined) candidates.push(searched)
  const isLost = searched === undefined ? !wasLossy(request) : searched.score < target
  if (isLost && !picture.graphic) candidates.push(...(await nearlyLossless(request)))
  return candidates
}

/** A source of this type with few colours keeps them: somebody chose them already. */
async function drawn(request: EncodeRequest): Promise<Candidate[]> {
  const { picture, source } = request
  const candidates: Candidate[] = []
  if (source === undefined || !picture.paletted) {
    for (const { png, score } of searchPalettes(request)) {
      const data = await counted(sharp(png)).webp({ lossless: true, effort: 4 }).toBuffer()
      candidates.push({ data, type: 'image/webp', score })
    }
  }
  // A picture that was lossy takes more bytes without loss, unless there is hardly anything in it.
  const isLarger = (wasLossy(request) && !picture.paletted) || (await losslessIsLarger(request, candidates))
  return isLarger ? candidates : [await lossless(picture), ...candidates]
}

/** A palette this much smaller than some of the picture's rows foretell stays smaller than all of it without loss. */
const CLEARLY_SMALLER = 0.5

/** Whether lossless coding would take clearly more bytes than what there is, by an eighth of the picture. */
async function losslessIsLarger(
  { picture, effort }: EncodeRequest,
  candidates: readonly Candidate[],
): Promise<boolean> {
  const rows = candidates.length === 0 || picture.paletted || effort === 'max' ? undefined : sampleRows(picture)
  if (rows === undefined) return false
  const quick = await fromPicture(rows).webp({ lossless: true, effort: 0 }).toBuffer()
  const bytes = Math.min(...candidates.map(({ data }) => data.length))
  return bytes < CLEARLY_SMALLER * quick.length * (picture.height / rows.height)
}

const wasLossy = ({ source }: EncodeRequest): boolean => source !== undefined && isLossyWebp(source)

/** Whether lossy coding, at a setting too low for the promise, takes more bytes than a result that keeps it. */
async function cannotWin({ picture, target }: EncodeRequest, bytes: number): Promise<boolean> {
  if (bytes === Infinity) return false
  if (bytes < picture.width * picture.height * HARDLY_ANYTHING) return true
  const quality = Math.max(1, Math.round(target) - TOO_LOW)
  const low = await fromPicture(picture).webp({ effort: 2, quality }).toBuffer()
  return low.length > bytes
}

async function nearlyLossless({ picture, scorer, target, source }: EncodeRequest): Promise<Candidate[]> {
  const candidates = [await lossless(picture)]
  // A source of this type may be near-lossless already, and would lose a little each time.
  if (source !== undefined) return candidates
  const near = await nearLossless({ picture, scorer, target }, NEAR_LOSSLESS)
  if (near !== undefined) candidates.push(near)
  return candidates
}

/** The first of some levels that reaches the target, from which the others are left to go on with. */
async function nearLossless(
  request: Pick<EncodeRequest, 'picture' | 'scorer' | 'target'>,
  levels: readonly number[],
): Promise<Candidate | undefined> {
  const { picture, scorer, target } = request
  for (const [index, quality] of levels.entries()) {
    const data = await fromPicture(picture).webp({ nearLossless: true, quality, effort: 4 }).toBuffer()
    const score = await scorer.score(data)
    if (score < target) continue
    const raise = (): Promise<Candidate | undefined> => nearLossless(request, levels.slice(index + 1))
    return { data, type: 'image/webp', score, kind: 'palette', raise }
  }
  return undefined
}

/** Scores for which settings that blur at once are tried as well. */
const POOR = 40

/** Points by which effort 4 scores above effort 2 at the same setting, in the median of photographs; below at low settings. */
const effortGain = (quality: number): number => Math.max(-0.5, 0.2 + (quality - 80) * 0.13)

/** The same with sharp chroma conversion, of pictures with many edges between colours. */
const sharpYuvGain = (quality: number): number => Math.max(1.5, 1.5 + (quality - 70) * 0.06)

/** Of a probe's bytes, the least that a result of the same score takes: less where a picture has few blocks. */
const finalShare = (picture: Picture): number => (isSmall(picture) ? 0.85 : 0.95)

/** One probe is as good a start as two or three, which took 4 % more time of small pictures and 12 % more of photographs. */
const forecastOf = (picture: Picture): Forecast => ({ most: 1, near: 2, aim: picture.graphic ? 0.3 : 0.1 })

/** A setting is worth one to three points where most photographs end, so that a narrow window is met by luck. */
const PHOTOGRAPH_WINDOW = { ...WINDOWS, default: 1.5 } as const

/** An encode at the final effort takes as long as two probes, and the next lower setting saves about 4 % of the bytes. */
const CERTAINTY = { fast: 0, default: 0.5, max: 0 } as const

/** Few blocks make the score jump from setting to setting, and trying more of them costs little. */
const isSmall = ({ width, height }: Picture): boolean => width * height <= 100_000

/** Effort 6 compresses an alpha plane by brute force: it takes sixty times as long as effort 5 and saves 1 % of the bytes. */
function finalEffort(picture: Picture, effort: Effort): number {
  if (effort !== 'max') return 4
  return picture.channels === 4 ? 5 : 6
}

/**
 * Probes at effort 2, then encodes at effort 4 from the setting that the probes lead to, with sharp chroma conversion
 * where that saves bytes. Against effort 6, the probes take a quarter of the time and the final encodes half, for 3 % more
 * bytes. Efforts 4 and 6 score alike at the same setting.
 */
async function lossy({
  picture,
  scorer,
  target,
  effort,
  mostBytes = Infinity,
  decline,
}: EncodeRequest): Promise<Candidate | undefined> {
  const candidate = (found: Searched, settings: WebpOptions, curve: Curve): Candidate | undefined => {
    if (!found.tooLarge) {
      return raisable(found, {
        picture,
        type: 'image/webp',
        max: HIGHEST,
        curve,
        mostBytes,
        encode: (quality) =>
          fromPicture(picture)
            .webp({ ...settings, quality })
            .toBuffer(),
        score: (data) => scorer.score(data),
        beyond: async () => (picture.graphic ? undefined : lossless(picture)),
      })
    }
    decline?.(found.estimate)
    return undefined
  }
  const search = (options: {
    settings: WebpOptions
    gain: (quality: number) => number
    window: number
    curve: Curve
    patience: number
    certainty?: number
    forecast?: Forecast | undefined
    mostBytes: number
    probed?: Searched | undefined
  }): Promise<Searched> =>
    searchQuality({
      target,
      min: target < POOR ? 1 : 11,
      max: HIGHEST,
      window: options.window,
      patience: options.patience,
      certainty: options.certainty,
      forecast: options.forecast,
      curve: options.curve,
      mostBytes: options.mostBytes,
      start: options.probed?.expected,
      slope: options.probed?.slope,
      encode: (quality) =>
        fromPicture(picture)
          .webp({ ...options.settings, quality })
          .toBuffer(),
      score: async (data, quality) => (await scorer.score(data)) + options.gain(quality),
    })
  if (effort === 'fast') {
    const settings = { effort: 2 }
    const curve = curveOf(picture, false)
    const found = await search({ settings, gain: () => 0, window: WINDOWS.fast, curve, patience: 3, mostBytes })
    return candidate(found, settings, curve)
  }
  const smartSubsample = hasColourEdges(picture)
  const curve = curveOf(picture, smartSubsample)
  // Beside other types' results a probe tells first whether it can win; alone, it takes more than the encode that it saves.
  const isAlone = mostBytes === Infinity && !picture.graphic && !isSmall(picture) && effort !== 'max'
  const probe = isAlone
    ? undefined
    : await search({
        settings: { effort: 2 },
        gain: smartSubsample ? sharpYuvGain : effortGain,
        window: 1.2,
        curve,
        patience: PATIENCE.probe[effort],
        forecast: effort === 'max' ? undefined : forecastOf(picture),
        mostBytes: mostBytes / finalShare(picture),
      })
  const settings = { effort: finalEffort(picture, effort), smartSubsample }
  if (probe?.tooLarge === true) return candidate(probe, settings, curve)
  const final = await search({
    settings,
    gain: () => 0,
    window: isSmall(picture) ? WINDOWS.max : picture.graphic ? WINDOWS[effort] : PHOTOGRAPH_WINDOW[effort],
    curve,
    probed: probe,
    certainty: isSmall(picture) ? 0 : CERTAINTY[effort],
    patience: isSmall(picture) ? PATIENCE.final.max : PATIENCE.final[effort],
    mostBytes,
  })
  return candidate(final, settings, curve)
}

function curveOf({ graphic, width, height }: Picture, smartSubsample: boolean): Curve {
  if (graphic) return smartSubsample ? WEBP_EFFORT_6_SHARP_YUV : WEBP_EFFORT_4
  const curve = smartSubsample ? WEBP_PHOTOGRAPH_SHARP_YUV : WEBP_PHOTOGRAPH
  const doublings = Math.log2((width * height) / PIXELS_OF_CURVE)
  const loss = Math.min(MOST_LOST, Math.max(-1, doublings)) * LOST_PER_DOUBLING
  return curve.map(([quality, score]) => [quality, score - loss] as const)
}

async function lossless(picture: Picture): Promise<Candidate> {
  const data = await fromPicture(picture).webp({ lossless: true, effort: 4, exact: false }).toBuffer()
  return { data, type: 'image/webp', score: 100 }
}

export function encodePlainWebp(picture: Picture, settings: ResolvedSettings<'webp'>): Promise<Uint8Array> {
  return fromPicture(picture).webp(settings).toBuffer()
}

/** With the colours of transparent pixels, which may be data. */
export async function encodeLosslessWebp({
  picture,
  effort,
}: Pick<EncodeRequest, 'picture' | 'effort'>): Promise<readonly Uint8Array[]> {
  const settings = { lossless: true, exact: true, effort: effort === 'max' ? 6 : 4 }
  return [await fromPicture(picture).webp(settings).toBuffer()]
}
