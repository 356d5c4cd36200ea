import type { JpegOptions } from 'sharp'
import { stripMetadata } from '../../metadata/index.ts'
import type { ChromaSubsampling } from '../../types.ts'
import { MOZJPEG_420, MOZJPEG_444 } from '../curves.ts'
import type { Candidate } from '../job.ts'
import { repackJpeg } from '../jpeg-transcode.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import { searchQuality, typicalScore } from '../search.ts'
import type { Curve, Found } from '../search.ts'
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
const TINY = 10_000

/** Share of the source's bytes up to which a new encoding has won: lossless repacking saves a tenth, seldom more. */
const BEYOND_REPACKING = 0.5

/**
 * mozjpeg, progressive, grey pictures as one channel, chroma halved or full by result; and the source's own coefficients
 * packed anew.
 */
export const encodeJpeg: Encoder = async (request) => {
  const { source, picture, target } = request
  const candidates = [await encodeAnew(request)]
  const [{ data, score }] = candidates as [Candidate]
  if (
    source !== undefined &&
    !(score >= target && data.length < stripMetadata(source, 'image/jpeg').length * BEYOND_REPACKING)
  ) {
    const repacked = await repackJpeg(source, picture)
    if (repacked !== undefined) candidates.push({ data: repacked, type: 'image/jpeg', score: 100 })
  }
  return candidates
}

async function encodeAnew(request: EncodeRequest): Promise<Candidate> {
  const { picture, target, effort, scorer } = request
  const halved = await probe(request, '4:2:0')
  const isLost = halved.score < target
  const isHard = typicalScore(MOZJPEG_420, halved.quality) >= target + COLOURS_LOST
  const tryFull = !picture.grey && (isLost || isHard || picture.width * picture.height <= SMALL_PICTURE)
  const full = tryFull ? await probe(request, '4:4:4') : undefined
  const chroma = full !== undefined && (isLost || full.data.length < halved.data.length) ? '4:4:4' : '4:2:0'
  let found = await search(request, chroma, chroma === '4:4:4' ? full!.quality : halved.quality)
  if (found.score < target && chroma === '4:2:0' && !picture.grey) {
    found = await search(request, '4:4:4', full?.quality)
  }
  const candidate: Candidate = { data: found.data, type: 'image/jpeg', score: found.score }
  if (found.data.length > TINY || effort === 'fast') return candidate
  const chromaSubsampling = found.score < target && !picture.grey ? '4:4:4' : chroma
  const data = await encode(picture, { ...SEQUENTIAL_MOZJPEG, quality: found.quality, chromaSubsampling })
  return data.length < candidate.data.length ? { ...candidate, data, score: await scorer.score(data) } : candidate
}

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

/** Points that an encoding without trellis scores above one with it at the same setting, in the median of 13 pictures. */
const plainOffset = (quality: number): number => Math.max(1, 4.4 - quality * 0.035)

/** The setting at which mozjpeg should reach the target, by way of the plain encoder. The score is what mozjpeg's should be. */
function probe({ picture, scorer, target, effort }: EncodeRequest, chroma: ChromaSubsampling): Promise<Found> {
  return searchQuality({
    target,
    window: Math.max(1, WINDOWS[effort]),
    patience: PATIENCE.probe[effort],
    min: lowest(target),
    max: HIGHEST,
    curve: curveOf(chroma),
    encode: (quality) => encode(picture, { ...PLAIN, quality, chromaSubsampling: chroma }),
    score: async (data, quality) => (await scorer.score(data)) - plainOffset(quality),
  })
}

function search(
  { picture, scorer, target, effort }: EncodeRequest,
  chroma: ChromaSubsampling,
  start: number | undefined,
): Promise<Found> {
  return searchQuality({
    target,
    window: WINDOWS[effort],
    patience: PATIENCE.final[effort],
    min: lowest(target),
    max: HIGHEST,
    curve: curveOf(chroma),
    start,
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
