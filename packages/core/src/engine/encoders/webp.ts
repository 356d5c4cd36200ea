import sharp from 'sharp'
import type { WebpOptions } from 'sharp'
import type { Effort } from '../../types.ts'
import type { Candidate } from '../job.ts'
import { WEBP_EFFORT_4, WEBP_EFFORT_6_SHARP_YUV } from '../curves.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import { searchQuality } from '../search.ts'
import type { Curve, Found } from '../search.ts'
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
  const candidates = request.picture.graphic ? await drawn(request) : []
  const bytes = Math.min(...candidates.map(({ data }) => data.length))
  if (await cannotWin(request, bytes)) return candidates
  const searched = await lossy(request)
  candidates.push(searched)
  if (searched.score < request.target && !request.picture.graphic) candidates.push(...(await nearlyLossless(request)))
  return candidates
}

/** A source of this type with few colours keeps them: somebody chose them already. */
async function drawn(request: EncodeRequest): Promise<Candidate[]> {
  const { picture, source } = request
  const candidates = [await lossless(picture)]
  if (source !== undefined && picture.paletted) return candidates
  for (const { png, score } of await searchPalettes(request)) {
    const data = await sharp(png).webp({ lossless: true, effort: 4 }).toBuffer()
    candidates.push({ data, type: 'image/webp', score })
  }
  return candidates
}

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

/** Points that sharp chroma conversion adds to effort 2's score at the same setting, in the median of photographs. */
const sharpYuvGain = (quality: number): number => Math.max(1.5, 1.5 + (quality - 70) * 0.06)

/** Effort 6 packs an alpha plane by brute force: sixty times the time of effort 5 for one byte in a hundred. */
function finalEffort(picture: Picture, effort: Effort): number {
  if (effort !== 'max') return 4
  return picture.channels === 4 ? 5 : 6
}

/**
 * Probes at effort 2, then effort 4 with sharp chroma conversion from the setting that the probes speak for: a quarter of
 * effort 6's cost in probes, half of it in the end, for 3 % more bytes. Efforts 4 and 6 score alike at the same setting.
 */
async function lossy({ picture, scorer, target, effort }: EncodeRequest): Promise<Candidate> {
  const search = (options: {
    settings: WebpOptions
    gain: (quality: number) => number
    window: number
    curve: Curve
    patience: number
    start?: number
  }): Promise<Found> =>
    searchQuality({
      target,
      min: target < POOR ? 1 : 11,
      max: 99,
      window: options.window,
      patience: options.patience,
      curve: options.curve,
      start: options.start,
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
      curve: WEBP_EFFORT_4,
      patience: 3,
    })
    return { data: found.data, type: 'image/webp', score: found.score }
  }
  const curve = WEBP_EFFORT_6_SHARP_YUV
  const probe = await search({
    settings: { effort: 2 },
    gain: sharpYuvGain,
    window: 1.2,
    curve,
    patience: PATIENCE.probe[effort],
  })
  const settings = { effort: finalEffort(picture, effort), smartSubsample: true }
  const final = await search({
    settings,
    gain: () => 0,
    window: WINDOWS[effort],
    curve,
    start: probe.quality,
    patience: PATIENCE.final[effort],
  })
  return { data: final.data, type: 'image/webp', score: final.score }
}

async function lossless(picture: Picture): Promise<Candidate> {
  const data = await fromPicture(picture).webp({ lossless: true, effort: 4, exact: false }).toBuffer()
  return { data, type: 'image/webp', score: 100 }
}
