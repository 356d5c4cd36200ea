import type { ChromaSubsampling, Effort } from '../../base/types.ts'
import type { Picture } from '../../encoding/picture.ts'
import { raisable } from '../../encoding/raise.ts'
import { PATIENCE, WINDOWS, bytesAt, searchQuality, typicalScore } from '../../encoding/search.ts'
import type { Forecast, Searched } from '../../encoding/search.ts'
import type { Candidate, EncodeRequest, Encoder } from '../../encoding/request.ts'
import {
  COARSE,
  curveOf,
  encode,
  FINE,
  isQuicklyTried,
  optionsOf,
  plainOptions,
  SEQUENTIAL_MOZJPEG,
  thoroughOptions,
} from './coding.ts'
import type { Coding } from './coding.ts'
import { stripJpeg } from './metadata.ts'
import { scanned } from './scans.ts'
import { recompressJpeg } from './transcode.ts'
import type { ResolvedSettings } from '../../operations/encoder-settings.ts'

/** See `slopeOf`. */
const SLOPE_POWER = 0.5

/** Settings below this are only tried for scores that need them: their blocks are easily seen. */
const LOWEST = 8
const LOWEST_OF_ALL = 2
const POOR = 40
const HIGHEST = 98

/**
 * Full chroma is tried where halved chroma needs a setting at which the median picture scores this many points above
 * the target: the setting makes up for the colours lost, and full chroma may take fewer bytes.
 */
const COLOURS_LOST = 4

/**
 * A result below this share of the bytes that it may take has won: lossless recompression saves more in tiny files
 * only.
 */
const BEYOND_RECOMPRESSION: Readonly<Record<Effort, number>> = { fast: 0.82, default: 0.72, max: 0.72 }

/**
 * The smallest share of a probe's bytes that a result of the same setting takes. The standard's Huffman tables fit
 * drawings badly.
 */
const FINAL_SHARE = { graphic: 0.35, photograph: 0.7 } as const

/** The smallest share of a sequential file's bytes that its best progressive scans take. */
const SCANS_SHARE = { graphic: 0.88, photograph: 0.95 } as const

const kindOf = ({ graphic }: Picture): keyof typeof FINAL_SHARE => (graphic ? 'graphic' : 'photograph')

/**
 * mozjpeg, with the best progressive scans, grey pictures as one channel, and chroma halved or full, whichever is
 * smaller; and the source's own coefficients, losslessly recompressed.
 */
export const encodeJpeg: Encoder = async (request) => {
  const { source, picture, target, effort, mostBytes } = request
  const candidates = await encodePixels(request)
  if (source === undefined) return candidates
  const most = (mostBytes ?? stripJpeg(source).length / 2) * BEYOND_RECOMPRESSION[effort]
  const instead = async (): Promise<Candidate | undefined> => {
    const data = await recompressJpeg(source, picture)
    return data && { data, type: 'image/jpeg', score: 100 }
  }
  const isBeyond = candidates.some(({ data, score }) => score >= target && data.length < most)
  if (isBeyond) return candidates.map((each) => ({ ...each, instead }))
  const recompressed = await instead()
  return recompressed === undefined ? candidates : [...candidates, recompressed]
}

/** Encodes the pixels. There is no candidate where it would be larger than `mostBytes`. */
async function encodePixels(request: EncodeRequest): Promise<Candidate[]> {
  const { picture, target, effort, decline } = request
  if (effort === 'fast') return encodeQuickly(request)
  const halved = await probe(request, { chroma: '4:2:0', table: COARSE })
  if (halved.tooLarge) {
    decline?.(halved.estimate)
    return []
  }
  const isLost = halved.score < target && halved.expected === HIGHEST
  const isHard = typicalScore(curveOf({ chroma: '4:2:0', table: COARSE }), halved.quality) >= target + COLOURS_LOST
  const tryFull = !picture.grey && (isLost || isHard || isQuicklyTried(picture))
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
  if (found.tooLarge) {
    decline?.(found.estimate)
    return []
  }
  return [await finished(request, coding, found)]
}

/**
 * Encodes without mozjpeg's trellis, which takes 2 to 5 % more bytes in a tenth of its time, and the result of a search
 * need not be made again. Full chroma is only tried where halved chroma misses the promise.
 */
async function encodeQuickly(request: EncodeRequest): Promise<Candidate[]> {
  const { picture, target, decline } = request
  let found: Searched | undefined
  for (const chroma of picture.grey ? (['4:2:0'] as const) : (['4:2:0', '4:4:4'] as const)) {
    const coding = { chroma, table: COARSE } as const
    found = await searchPlain(request, coding)
    // Where no setting keeps the promise, that says nothing of full chroma.
    const isLost = found.score < target && found.expected === HIGHEST && chroma === '4:2:0' && !picture.grey
    if (found.tooLarge && !isLost) break
    if (found.score >= target || picture.grey || chroma === '4:4:4') return [await finished(request, coding, found)]
  }
  decline?.(found!.estimate)
  return []
}

/**
 * Returns a result with its scans. Where a guard finds damage in halved chroma, full chroma is next: what is damaged is
 * mostly colour.
 */
async function finished(request: EncodeRequest, coding: Coding, found: Searched): Promise<Candidate> {
  const { picture, scorer, effort, mostBytes = Infinity } = request
  const candidate = await scanned(
    raisable(found, {
      picture,
      type: 'image/jpeg',
      max: HIGHEST,
      curve: curveOf(coding),
      // The file that is compared has no progressive scans yet.
      mostBytes: mostBytes / (effort === 'fast' ? FINAL_SHARE : SCANS_SHARE)[kindOf(picture)],
      encode: (quality) =>
        encode(picture, { ...thoroughOptions(picture, coding, effort), ...optionsOf(coding), quality }),
      score: (data) => scorer.score(data),
    }),
  )
  if (coding.chroma === '4:4:4' || picture.grey) return candidate
  return {
    ...candidate,
    async raise(points) {
      const full = { chroma: '4:4:4', table: COARSE } as const
      const next = await (effort === 'fast' ? searchPlain(request, full) : searchByProbe(request, full))
      return next.tooLarge ? candidate.raise?.(points) : finished(request, full, next)
    },
  }
}

/** Setting of `COARSE` from which `FINE` is tried: trying it from 80 saved 45 photographs no more bytes. */
const FINE_FROM = 84

/** Returns the setting of `FINE` that scores like one of `COARSE`, in the median. */
const finely = (quality: number): number => Math.round(0.954 * quality - 6.84)

/**
 * Returns the bytes that the finer tables may take more in a quick encode, where there are many: the trellis saves more
 * of theirs.
 */
const fineSaves = (picture: Picture): number => (isQuicklyTried(picture) ? 1 : 1.03)

/**
 * Chooses the tables that take fewer bytes, by one quick encode: its results are nearly in the same order as mozjpeg's.
 */
async function chooseTable(
  request: EncodeRequest,
  chroma: ChromaSubsampling,
  probed: Searched,
): Promise<{ coding: Coding; probed: Searched }> {
  const coarse = { coding: { chroma, table: COARSE }, probed } as const
  if (probed.expected < FINE_FROM) return coarse
  const coding = { chroma, table: FINE } as const
  const { expected, slope } = probed
  const fine = await probe(request, coding, Infinity, { start: finely(expected), slope })
  const isFine = bytesAt(request.target, fine) < bytesAt(request.target, probed) * fineSaves(request.picture)
  return isFine ? { coding, probed: fine } : coarse
}

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

/**
 * Returns the setting at which mozjpeg should reach the target, by way of the plain encoder. The score is what
 * mozjpeg's should be.
 */
function probe(
  { picture, scorer, target, effort, mostBytes = Infinity }: EncodeRequest,
  coding: Coding,
  most: number = Infinity,
  known?: { start: number; slope: number },
): Promise<Searched> {
  return searchQuality({
    target,
    window: Math.max(1, WINDOWS[effort]),
    patience: PATIENCE.probe[effort],
    forecast: known !== undefined ? ONE_LOOK : effort === 'max' ? undefined : FORECAST,
    mostBytes: Math.min(most, mostBytes / FINAL_SHARE[kindOf(picture)]),
    min: lowest(target),
    max: HIGHEST,
    slopePower: SLOPE_POWER,
    curve: curveOf(coding),
    ...known,
    encode: (quality) => encode(picture, { ...plainOptions(picture), ...optionsOf(coding), quality }),
    score: async (data) => {
      const score = await scorer.sample(data)
      return score - plainOffset(score)
    },
  })
}

/** Searches among plain results, one of which is the result. */
function searchPlain(
  { picture, scorer, target, mostBytes = Infinity }: EncodeRequest,
  coding: Coding,
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
    encode: (quality) => encode(picture, { ...plainOptions(picture), ...optionsOf(coding), quality }),
    score: (data) => scorer.score(data),
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
    slopePower: SLOPE_POWER,
    curve: curveOf(coding),
    start: probed?.expected,
    slope: probed?.slope,
    encode: (quality) =>
      encode(picture, { ...thoroughOptions(picture, coding, effort), ...optionsOf(coding), quality }),
    score: (data) => scorer.score(data),
  })
}

/** Searches where nothing is known yet: quick encodes tell where to begin, in a quarter of the trellis' time. */
async function searchByProbe(request: EncodeRequest, coding: Coding): Promise<Searched> {
  const probed = await probe(request, coding)
  return probed.tooLarge ? probed : search(request, coding, probed)
}

const lowest = (target: number): number => (target < POOR ? LOWEST_OF_ALL : LOWEST)

/** Encodes once with the caller's own settings. */
export function encodePlainJpeg(
  picture: Picture,
  { progressive, ...settings }: ResolvedSettings<'jpeg'>,
): Promise<Uint8Array> {
  return encode(picture, { ...(progressive ? { mozjpeg: true } : SEQUENTIAL_MOZJPEG), ...settings })
}

/** Recompresses a source losslessly; JPEG cannot hold pixels without loss. */
export async function encodeLosslessJpeg({
  picture,
  source,
}: Pick<EncodeRequest, 'picture' | 'source'>): Promise<readonly Uint8Array[]> {
  const recompressed = source === undefined ? undefined : await recompressJpeg(source, picture)
  return recompressed === undefined ? [] : [recompressed]
}
