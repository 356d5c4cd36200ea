import type { JpegOptions } from 'sharp'
import { stripMetadata } from '../../metadata/index.ts'
import type { ChromaSubsampling } from '../../types.ts'
import { MOZJPEG_420, MOZJPEG_444 } from '../curves.ts'
import type { Candidate } from '../job.ts'
import { repackJpeg } from '../jpeg-transcode.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import { searchQuality, typicalScore } from '../search.ts'
import type { Curve, Forecast, Searched } from '../search.ts'
import type { EncodeRequest, Encoder } from './encoder.ts'
import { PATIENCE, WINDOWS } from './encoder.ts'

/** Settings below this are only tried for scores that need them: their blocks are seen at once. */
const LOWEST = 20
const LOWEST_OF_ALL = 2
const POOR = 40
const HIGHEST = 98

/**
 * Points by which the median picture scores above the target at a setting that halved chroma needs: then it pays for the
 * colours it loses, and full chroma may take fewer bytes.
 */
const COLOURS_LOST = 4

/** Pixels up to which trying full chroma costs nothing to speak of. */
const SMALL_PICTURE = 100_000

/** Bytes below which the headers of a progressive file's many scans may outweigh what they save. */
const TINY = 3000

/** Share of the bytes that a new encoding may take up to which it has won: lossless repacking seldom saves more than the rest. */
const BEYOND_REPACKING = 0.87

const BYTES_PER_POINT = 0.05

/** Of a probe's bytes, the least that mozjpeg takes for the same score. */
const MOZJPEG_SHARE = 0.75

/**
 * mozjpeg, progressive, grey pictures as one channel, chroma halved or full by result; and the source's own coefficients
 * packed anew.
 */
export const encodeJpeg: Encoder = async (request) => {
  const { source, picture, target, mostBytes } = request
  const candidates = await encodeAnew(request)
  if (source === undefined) return candidates
  const most = mostBytes ?? stripMetadata(source, 'image/jpeg').length / 2
  if (candidates.some(({ data, score }) => score >= target && data.length < most * BEYOND_REPACKING)) return candidates
  const repacked = await repackJpeg(source, picture)
  if (repacked !== undefined) candidates.push({ data: repacked, type: 'image/jpeg', score: 100 })
  return candidates
}

/** None where it would be larger than what is of use. */
async function encodeAnew(request: EncodeRequest): Promise<Candidate[]> {
  const { picture, target, effort, scorer } = request
  const halved = await probe(request, '4:2:0')
  if (halved.tooLarge) return []
  const isLost = halved.score < target && halved.expected === HIGHEST
  const isHard = typicalScore(MOZJPEG_420, halved.quality) >= target + COLOURS_LOST
  const tryFull = !picture.grey && (isLost || isHard || picture.width * picture.height <= SMALL_PICTURE)
  const most = isLost ? Infinity : bytesAt(target, halved)
  const full = tryFull ? await probe(request, '4:4:4', most) : undefined
  const isFull = full !== undefined && !full.tooLarge && (isLost || bytesAt(target, full) < most)
  const chroma = isFull ? '4:4:4' : '4:2:0'
  let found = await search(request, chroma, chroma === '4:4:4' ? full! : halved)
  if (found.score < target && !found.tooLarge && chroma === '4:2:0' && !picture.grey) {
    found = await search(request, '4:4:4', full)
  }
  if (found.tooLarge) return []
  const candidate: Candidate = { data: found.data, type: 'image/jpeg', score: found.score }
  if (found.data.length > TINY || effort === 'fast') return [candidate]
  const chromaSubsampling = found.score < target && !picture.grey ? '4:4:4' : chroma
  const data = await encode(picture, { ...SEQUENTIAL_MOZJPEG, quality: found.quality, chromaSubsampling })
  return [data.length < candidate.data.length ? { ...candidate, data, score: await scorer.score(data) } : candidate]
}

/** Bytes at the target by those at a score nearby: near 80 a point is 5 % of them, in the median of 80 pictures. */
const bytesAt = (target: number, { data, score }: Searched): number =>
  data.length * Math.exp((target - score) * BYTES_PER_POINT)

/**
 * Points above the target that end the search. A step of the quality setting is one point near a score of 80, and the
 * search has patience for two encodes.
 */
const WINDOW = { ...WINDOWS, default: 0.35 } as const

/** A lower setting saves 5 % of the bytes, and costs as much as all else. */
const CERTAINTY = { fast: 0, default: 0.4, max: 0 } as const

/** What a probe one setting away would tell, the final search learns as cheaply. */
const FORECAST: Forecast = { most: 3, near: 1, aim: 0.1 }

const MOZJPEG: JpegOptions = { mozjpeg: true }

/** sharp's `mozjpeg: true` without the scans, which it does not let go of. */
export const SEQUENTIAL_MOZJPEG: JpegOptions = {
  trellisQuantisation: true,
  overshootDeringing: true,
  quantisationTable: 3,
  progressive: false,
  optimiseScans: false,
}

/** mozjpeg's quantisation without its trellis and scan search: a ninth of the time. */
const PLAIN: JpegOptions = { quantisationTable: 3, progressive: false, optimiseCoding: true }

/**
 * Points that an encoding without trellis and of this score is above one with it at the same setting, about, in
 * photographs: 1.5 at a score of 80, more below. In graphics it may lie below; the final search corrects that.
 */
const plainOffset = (score: number): number => Math.min(3, Math.max(0.5, 1.5 + (80 - score) * 0.13))

/** The setting at which mozjpeg should reach the target, by way of the plain encoder. The score is what mozjpeg's should be. */
function probe(
  { picture, scorer, target, effort, mostBytes = Infinity }: EncodeRequest,
  chroma: ChromaSubsampling,
  most: number = Infinity,
): Promise<Searched> {
  return searchQuality({
    target,
    window: Math.max(1, WINDOWS[effort]),
    patience: PATIENCE.probe[effort],
    forecast: effort === 'max' ? undefined : FORECAST,
    mostBytes: Math.min(most, mostBytes / MOZJPEG_SHARE),
    min: lowest(target),
    max: HIGHEST,
    curve: curveOf(chroma),
    encode: (quality) => encode(picture, { ...PLAIN, quality, chromaSubsampling: chroma }),
    score: async (data) => {
      const score = await scorer.score(data)
      return score - plainOffset(score)
    },
  })
}

function search(
  { picture, scorer, target, effort, mostBytes = Infinity }: EncodeRequest,
  chroma: ChromaSubsampling,
  probed: Searched | undefined,
): Promise<Searched> {
  return searchQuality({
    target,
    window: WINDOW[effort],
    certainty: CERTAINTY[effort],
    patience: PATIENCE.final[effort],
    mostBytes,
    min: lowest(target),
    max: HIGHEST,
    curve: curveOf(chroma),
    start: probed?.expected,
    steepness: probed?.steepness,
    encode: (quality) => encode(picture, { ...MOZJPEG, quality, chromaSubsampling: chroma }),
    score: (data) => scorer.score(data),
  })
}

const lowest = (target: number): number => (target < POOR ? LOWEST_OF_ALL : LOWEST)

const curveOf = (chroma: ChromaSubsampling): Curve => (chroma === '4:2:0' ? MOZJPEG_420 : MOZJPEG_444)

function encode(picture: Picture, options: JpegOptions): Promise<Buffer> {
  const pixels = picture.grey ? fromPicture(picture).toColourspace('b-w') : fromPicture(picture)
  return pixels.jpeg(options).toBuffer()
}
