import sharp from 'sharp'
import type { WebpOptions } from 'sharp'
import type { Effort } from '../../types.ts'
import type { Candidate } from '../job.ts'
import { WEBP_EFFORT_4, WEBP_EFFORT_6_SHARP_YUV, WEBP_PHOTOGRAPH, WEBP_PHOTOGRAPH_SHARP_YUV } from '../curves.ts'
import { isLossy } from '../lossy-source.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import { searchQuality } from '../search.ts'
import type { Curve, Forecast, Searched } from '../search.ts'
import { hasColourEdges } from './colour-edges.ts'
import type { EncodeRequest, Encoder } from './encoder.ts'
import { PATIENCE, WINDOWS } from './encoder.ts'
import { searchPalettes } from './palette.ts'

/** Bytes per pixel below which a lossless result cannot be beaten by a margin that is worth a search. */
const HARDLY_ANYTHING = 0.01

/** Points below the target: a quality setting that is lower than any that reached it, in drawings and photographs. */
const TOO_LOW = 20

/** libwebp's near-lossless preprocessing, from much to little: it scores some 91, 94, 96 and 97. */
const NEAR_LOSSLESS = [20, 40, 60, 80] as const

/**
 * What is small depends on the picture. Drawings: lossless, with the fewest colours that keep the promise where that is
 * less, or lossy by search where that may be. Photographs: lossy by search; where it cannot keep the promise, as halved
 * chroma cannot on small pictures least of all, nearly lossless and lossless.
 */
export const encodeWebp: Encoder = async (request) => {
  const { picture, target, mostBytes = Infinity } = request
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
  // What lossy coding has been through takes more bytes without loss, unless it is as good as empty.
  const candidates = wasLossy(request) && !picture.paletted ? [] : [await lossless(picture)]
  if (source !== undefined && picture.paletted) return candidates
  for (const { png, score } of await searchPalettes(request)) {
    const data = await sharp(png).webp({ lossless: true, effort: 4 }).toBuffer()
    candidates.push({ data, type: 'image/webp', score })
  }
  return candidates
}

const wasLossy = ({ source }: EncodeRequest): boolean => source !== undefined && isLossy(source, 'image/webp')

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
  // What is of this type may have been through it, and would lose a little each time.
  if (source !== undefined) return candidates
  for (const quality of NEAR_LOSSLESS) {
    const data = await fromPicture(picture).webp({ nearLossless: true, quality, effort: 4 }).toBuffer()
    const score = await scorer.score(data)
    if (score < target) continue
    candidates.push({ data, type: 'image/webp', score })
    break
  }
  return candidates
}

/** Scores for which settings that blur at once are tried as well. */
const POOR = 40

/** Points that effort 4 adds to effort 2's score at the same setting, in the median of photographs; low settings lose some. */
const effortGain = (quality: number): number => Math.max(-0.5, 0.2 + (quality - 80) * 0.13)

/** The same with sharp chroma conversion, of pictures with many edges between colours. */
const sharpYuvGain = (quality: number): number => Math.max(1.5, 1.5 + (quality - 70) * 0.06)

/** Of a probe's bytes, the least that a result of the same score takes: less where a picture has few blocks. */
const finalShare = (picture: Picture): number => (isSmall(picture) ? 0.85 : 0.95)

/** Two probes tell how steep the score is, but for few blocks; a third would tell less than what the efforts differ by. */
const forecastOf = (picture: Picture): Forecast => ({
  most: isSmall(picture) ? 3 : 2,
  near: 2,
  aim: picture.graphic ? 0.3 : 0.1,
})

/** An encode of the final effort costs as much as two probes, and a setting lower saves some 4 % of the bytes. */
const CERTAINTY = { fast: 0, default: 0.5, max: 0 } as const

/** Few blocks make the score jump from setting to setting, and trying more of them costs little. */
const isSmall = ({ width, height }: Picture): boolean => width * height <= 100_000

/** Effort 6 packs an alpha plane by brute force: sixty times the time of effort 5 for one byte in a hundred. */
function finalEffort(picture: Picture, effort: Effort): number {
  if (effort !== 'max') return 4
  return picture.channels === 4 ? 5 : 6
}

/**
 * Probes at effort 2, then effort 4 from the setting that the probes speak for, with sharp chroma conversion where that
 * pays: a quarter of effort 6's cost in probes, half of it in the end, for 3 % more bytes. Efforts 4 and 6 score alike at
 * the same setting.
 */
async function lossy({
  picture,
  scorer,
  target,
  effort,
  mostBytes = Infinity,
}: EncodeRequest): Promise<Candidate | undefined> {
  const search = (options: {
    settings: WebpOptions
    gain: (quality: number) => number
    window: number
    curve: Curve
    patience: number
    certainty?: number
    forecast?: Forecast | undefined
    mostBytes: number
    probed?: Searched
  }): Promise<Searched> =>
    searchQuality({
      target,
      min: target < POOR ? 1 : 11,
      max: 99,
      window: options.window,
      patience: options.patience,
      certainty: options.certainty,
      forecast: options.forecast,
      curve: options.curve,
      mostBytes: options.mostBytes,
      start: options.probed?.expected,
      steepness: options.probed?.steepness,
      encode: (quality) =>
        fromPicture(picture)
          .webp({ ...options.settings, quality })
          .toBuffer(),
      score: async (data, quality) => (await scorer.score(data)) + options.gain(quality),
    })
  if (effort === 'fast') {
    const found = await search({
      settings: { effort: 2 },
      gain: () => 0,
      window: WINDOWS.fast,
      curve: curveOf(picture, false),
      patience: 3,
      mostBytes,
    })
    return candidate(found)
  }
  const smartSubsample = hasColourEdges(picture)
  const curve = curveOf(picture, smartSubsample)
  const probe = await search({
    settings: { effort: 2 },
    gain: smartSubsample ? sharpYuvGain : effortGain,
    window: 1.2,
    curve,
    patience: PATIENCE.probe[effort],
    forecast: effort === 'max' ? undefined : forecastOf(picture),
    mostBytes: mostBytes / finalShare(picture),
  })
  if (probe.tooLarge) return undefined
  const settings = { effort: finalEffort(picture, effort), smartSubsample }
  const final = await search({
    settings,
    gain: () => 0,
    window: isSmall(picture) ? WINDOWS.max : WINDOWS[effort],
    curve,
    probed: probe,
    certainty: isSmall(picture) ? 0 : CERTAINTY[effort],
    patience: isSmall(picture) ? PATIENCE.final.max : PATIENCE.final[effort],
    mostBytes,
  })
  return candidate(final)
}

function curveOf({ graphic }: Picture, smartSubsample: boolean): Curve {
  if (graphic) return smartSubsample ? WEBP_EFFORT_6_SHARP_YUV : WEBP_EFFORT_4
  return smartSubsample ? WEBP_PHOTOGRAPH_SHARP_YUV : WEBP_PHOTOGRAPH
}

const candidate = ({ data, score, tooLarge }: Searched): Candidate | undefined =>
  tooLarge ? undefined : { data, type: 'image/webp', score }

async function lossless(picture: Picture): Promise<Candidate> {
  const data = await fromPicture(picture).webp({ lossless: true, effort: 4, exact: false }).toBuffer()
  return { data, type: 'image/webp', score: 100 }
}
