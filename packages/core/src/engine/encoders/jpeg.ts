import type { JpegOptions } from 'sharp'
import { concatBytes, hasAscii, uint16 } from '../../metadata/bytes.ts'
import { stripMetadata } from '../../metadata/index.ts'
import type { ChromaSubsampling } from '../../types.ts'
import { MOZJPEG } from '../jpeg-curves.ts'
import type { Candidate } from '../job.ts'
import { packScans, repackJpeg } from '../jpeg-transcode.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import { searchQuality, typicalScore } from '../search.ts'
import type { Curve, Forecast, Searched } from '../search.ts'
import type { EncodeRequest, Encoder } from './encoder.ts'
import { PATIENCE, WINDOWS } from './encoder.ts'

/** Settings below this are only tried for scores that need them: their blocks are seen at once. */
const LOWEST = 8
const LOWEST_OF_ALL = 2
const POOR = 40
const HIGHEST = 98

/**
 * Points by which the median picture scores above the target at a setting that halved chroma needs: then it pays for the
 * colours it loses, and full chroma may take fewer bytes.
 */
const COLOURS_LOST = 4

/** So few pixels that trying full chroma, and Huffman tables of its own for each probe, cost nothing to speak of. */
const isSmall = ({ width, height }: Picture): boolean => width * height <= 100_000

/** Share of the bytes that a new encoding may take up to which it has won: lossless repacking seldom saves more than the rest. */
const BEYOND_REPACKING = 0.87

/** Of a probe's bytes, the least that a result of the same setting takes: the standard's Huffman tables do badly by drawings. */
const FINAL_SHARE = { graphic: 0.35, photograph: 0.7 } as const

/** Of a sequential file's bytes, the least that its best progressive scans take. */
const SCANS_SHARE = { graphic: 0.88, photograph: 0.95 } as const

const kindOf = ({ graphic }: Picture): keyof typeof FINAL_SHARE => (graphic ? 'graphic' : 'photograph')

/**
 * mozjpeg, with the best progressive scans, grey pictures as one channel, chroma halved or full by result; and the source's
 * own coefficients packed anew.
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
  const { picture, target, effort } = request
  const halved = await probe(request, { chroma: '4:2:0', table: COARSE })
  if (halved.tooLarge) return []
  const isLost = halved.score < target && halved.expected === HIGHEST
  const isHard = typicalScore(curveOf({ chroma: '4:2:0', table: COARSE }), halved.quality) >= target + COLOURS_LOST
  const isCheap = effort !== 'fast' && isSmall(picture)
  const tryFull = !picture.grey && (isLost || isHard || isCheap)
  const most = isLost ? Infinity : bytesAt(target, halved)
  const full = tryFull ? await probe(request, { chroma: '4:4:4', table: COARSE }, most) : undefined
  const isFull = full !== undefined && !full.tooLarge && (isLost || bytesAt(target, full) < most)
  const chosen = await chooseTable(request, isFull ? '4:4:4' : '4:2:0', isFull ? full : halved)
  let coding: Coding = chosen.coding
  let found = await search(request, coding, chosen.probed)
  if (found.score < target && !found.tooLarge && coding.chroma === '4:2:0' && !picture.grey) {
    coding = { chroma: '4:4:4', table: COARSE }
    found = await search(request, coding, full)
  }
  if (found.tooLarge) return []
  const { data, score } = found
  const packed = withoutJfif((await packScans(data)) ?? data)
  // The headers of many scans may outweigh what they save in a tiny file.
  return [{ data: packed.length < data.length ? packed : data, type: 'image/jpeg', score }]
}

/**
 * Without the 18 bytes that the transcoder adds (ITU-T T.871): what they say of the colours goes without saying where the
 * components are numbered from 1, as sharp does, which writes no such header.
 */
function withoutJfif(jpeg: Uint8Array): Uint8Array {
  if (!hasAscii(jpeg, 6, 'JFIF\0')) return jpeg
  return concatBytes([jpeg.subarray(0, 2), jpeg.subarray(4 + uint16(jpeg, 4))])
}

/** How a JPEG is coded, besides its quality. */
interface Coding {
  readonly chroma: ChromaSubsampling
  /** mozjpeg's number of a set of quantisation tables. */
  readonly table: typeof COARSE | typeof FINE
}

/**
 * Klein, Silverstein and Carney 1992. Of mozjpeg's nine sets the best alone: of 32 photographs it takes 1.5 % fewer bytes
 * than the default set at a score of 80, and 3 to 12 % fewer at 70 and 60.
 */
const COARSE = 5

/** Peterson, Ahumada and Watson 1993: up to 10 % fewer where a picture needs much, 7 % at a score of 90; more elsewhere. */
const FINE = 8

/** Setting of `COARSE` from which `FINE` is tried: trying it from 80 saved 45 photographs no more bytes. */
const FINE_FROM = 84

/** Setting of `FINE` that scores like one of `COARSE`, in the median. */
const finely = (quality: number): number => Math.round(0.954 * quality - 6.84)

/** Bytes that the finer tables may take more in a quick encode, where there are many: the trellis saves more of theirs. */
const fineSaves = (picture: Picture): number => (isSmall(picture) ? 1 : 1.03)

/** One quick encode tells which tables take fewer bytes: they order mozjpeg's results nearly alike. */
async function chooseTable(
  request: EncodeRequest,
  chroma: ChromaSubsampling,
  probed: Searched,
): Promise<{ coding: Coding; probed: Searched }> {
  const coarse = { coding: { chroma, table: COARSE }, probed } as const
  if (request.effort === 'fast' || probed.expected < FINE_FROM) return coarse
  const coding = { chroma, table: FINE } as const
  const { expected, steepness } = probed
  const fine = await probe(request, coding, Infinity, { start: finely(expected), steepness })
  const isFine = bytesAt(request.target, fine) < bytesAt(request.target, probed) * fineSaves(request.picture)
  return isFine ? { coding, probed: fine } : coarse
}

/** Share of the bytes that a point of the score takes near 80, in the median of 80 pictures. */
const BYTES_PER_POINT = 0.05

/** Points of the score over which bytes are reckoned: what scores far more at the lowest setting takes no fewer. */
const RECKONED = 4

/** Bytes at the target by those at a score nearby. */
const bytesAt = (target: number, { data, score }: Searched): number =>
  data.length * Math.exp(Math.max(-RECKONED, Math.min(RECKONED, target - score)) * BYTES_PER_POINT)

/**
 * Points above the target that end the search. A step of the quality setting is one point near a score of 80, and the
 * search has patience for two encodes.
 */
const WINDOW = { ...WINDOWS, default: 0.35 } as const

/** A lower setting saves 5 % of the bytes, and costs as much as all else. */
const CERTAINTY = { fast: 0, default: 0.5, max: 0 } as const

/** A third probe would tell less than what the encoders differ by. */
const FORECAST: Forecast = { most: 2, near: 3, aim: 0.2 }
const ONE_LOOK: Forecast = { most: 1, near: 2, aim: 0.3 }

/**
 * sharp's `mozjpeg: true` without the scans, which it does not let go of. So the search has the coefficients, and thereby the
 * score, for two thirds of the time, and decodes them line by line: a progressive file's coefficients are all held in memory
 * until the last scan is read. Only the one that is chosen gets its scans.
 */
export const SEQUENTIAL_MOZJPEG: JpegOptions = {
  trellisQuantisation: true,
  overshootDeringing: true,
  quantisationTable: 3,
  progressive: false,
  optimiseScans: false,
}

/**
 * mozjpeg's quantisation without its trellis and scan search: a twentieth of the time with the standard's Huffman tables, which
 * tell nearly as well which of two files is smaller as tables of their own would for three times that. Not so in small
 * pictures, whose bytes are little else.
 */
const plainOptions = (picture: Picture): JpegOptions => ({ progressive: false, optimiseCoding: isSmall(picture) })

/**
 * Points that an encoding without trellis and of this score is above one with it at the same setting, about, in
 * photographs: 1.5 at a score of 80, more below. In graphics it may lie below; the final search corrects that.
 */
const plainOffset = (score: number): number => Math.min(3, Math.max(0.5, 1.5 + (80 - score) * 0.13))

/** The setting at which mozjpeg should reach the target, by way of the plain encoder. The score is what mozjpeg's should be. */
function probe(
  { picture, scorer, target, effort, mostBytes = Infinity }: EncodeRequest,
  coding: Coding,
  most: number = Infinity,
  known?: { start: number; steepness: number },
): Promise<Searched> {
  return searchQuality({
    target,
    window: Math.max(1, WINDOWS[effort]),
    patience: PATIENCE.probe[effort],
    forecast: known !== undefined ? ONE_LOOK : effort === 'max' ? undefined : FORECAST,
    mostBytes: Math.min(most, mostBytes / FINAL_SHARE[kindOf(picture)]),
    min: lowest(target),
    max: HIGHEST,
    curve: curveOf(coding),
    ...known,
    encode: (quality) => encode(picture, { ...plainOptions(picture), ...optionsOf(coding), quality }),
    score: async (data) => {
      const score = await scorer.score(data)
      return score - plainOffset(score)
    },
  })
}

function search(
  { picture, scorer, target, effort, mostBytes = Infinity }: EncodeRequest,
  coding: Coding,
  probed: Searched | undefined,
): Promise<Searched> {
  return searchQuality({
    target,
    window: WINDOW[effort],
    certainty: CERTAINTY[effort],
    patience: PATIENCE.final[effort],
    mostBytes: mostBytes / SCANS_SHARE[kindOf(picture)],
    min: lowest(target),
    max: HIGHEST,
    curve: curveOf(coding),
    start: probed?.expected,
    steepness: probed?.steepness,
    encode: (quality) => encode(picture, { ...SEQUENTIAL_MOZJPEG, ...optionsOf(coding), quality }),
    score: (data) => scorer.score(data),
  })
}

const lowest = (target: number): number => (target < POOR ? LOWEST_OF_ALL : LOWEST)

const curveOf = ({ chroma, table }: Coding): Curve => MOZJPEG[table][chroma]

const optionsOf = ({ chroma, table }: Coding): JpegOptions => ({ chromaSubsampling: chroma, quantisationTable: table })

function encode(picture: Picture, options: JpegOptions): Promise<Buffer> {
  const pixels = picture.grey ? fromPicture(picture).toColourspace('b-w') : fromPicture(picture)
  return pixels.jpeg(options).toBuffer()
}
