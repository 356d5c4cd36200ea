import type { ChromaSubsampling, Effort } from '../../base/types.ts'
import { isLarge } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { raisable } from '../../encoding/raise.ts'
import { bytesAt } from '../../encoding/bytes-at-score.ts'
import { typicalScore } from '../../encoding/search.ts'
import type { Searched } from '../../encoding/search.ts'
import type { Candidate, EncodeRequest, Encoder } from '../../encoding/request.ts'
import { hasBands } from './bands.ts'
import {
  COARSE,
  curveOf,
  encode,
  FINE,
  isQuicklyTried,
  optionsOf,
  SEQUENTIAL_MOZJPEG,
  thoroughOptions,
  USUAL_SCANS,
} from './coding.ts'
import type { Coding } from './coding.ts'
import { hasFullChroma, stripJpeg } from './metadata.ts'
import { scanned } from './scans.ts'
import {
  HIGHEST,
  mostBeforeScans,
  ONE_LOOK,
  probeJpeg,
  searchJpeg,
  searchJpegByProbe,
  searchPlainJpeg,
  whileBandsAreOpen,
} from './search.ts'
import type { Probing } from './search.ts'
import { curveFrom } from './source-curve.ts'
import { recompressJpeg } from './transcode.ts'
import type { ResolvedSettings } from '../../operations/encoder-settings.ts'

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
  const chosen = await whileBandsAreOpen(request, chooseCoding)
  if ('declined' in chosen) {
    decline?.(chosen.declined)
    return []
  }
  let { coding } = chosen
  let found = await searchJpeg(request, coding, chosen.probed)
  if (found.score < target && !found.tooLarge && coding.chroma === '4:2:0' && !picture.grey) {
    coding = { chroma: '4:4:4', table: COARSE }
    found = await searchJpeg(request, coding, chosen.full)
  }
  if (found.tooLarge) {
    decline?.(found.estimate)
    return []
  }
  return [await finished(request, coding, found)]
}

/**
 * Full chroma meets a score so many settings below halved chroma: within 2.5 of it in 200 copies of photographs, where
 * the same setting for all was off by 5.9.
 */
const FULL_BELOW = 5

/** A coding with its probe, and that of full chroma where it was tried. */
interface Chosen {
  readonly coding: Coding
  readonly probed: Searched
  readonly full: Searched | undefined
}

/** Chooses chroma and tables by quick encodes; `declined` has the bytes where every result would be too large. */
async function chooseCoding(probing: Probing): Promise<Chosen | { readonly declined: number }> {
  const { picture, target, source } = probing.request
  const halved = await probeJpeg(probing, { chroma: '4:2:0', table: COARSE })
  const needed = halved.tooLarge ? halved.expected : halved.quality
  const isHard = typicalScore(curveOf({ chroma: '4:2:0', table: COARSE }), needed) >= target + COLOURS_LOST
  // A file with halved chroma has lost its colours already, and no encoder has to keep them.
  const mayLoseColours = !picture.grey && isHard && (source === undefined || hasFullChroma(source))
  if (halved.tooLarge && !mayLoseColours) return { declined: halved.estimate }
  const isLost = halved.tooLarge || (halved.score < target && halved.expected === HIGHEST)
  const tryFull = !picture.grey && (isLost || isHard || isQuicklyTried(picture))
  const most = isLost ? Infinity : halved.estimate
  const near = isLost ? undefined : { start: halved.expected - FULL_BELOW }
  const full = tryFull ? await probeJpeg(probing, { chroma: '4:4:4', table: COARSE }, most, near) : undefined
  if (halved.tooLarge && full!.tooLarge) return { declined: Math.min(halved.estimate, full!.estimate) }
  const isFull = full !== undefined && !full.tooLarge && (isLost || full.estimate < most)
  const { coding, probed } = await chooseTable(probing, isFull ? '4:4:4' : '4:2:0', isFull ? full : halved)
  return { coding, probed, full }
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
    found = await searchPlainJpeg(request, coding)
    // Where no setting keeps the promise, that says nothing of full chroma.
    const isLost = found.score < target && found.expected === HIGHEST && chroma === '4:2:0' && !picture.grey
    if (found.tooLarge && !isLost) break
    if (found.score >= target || picture.grey || chroma === '4:4:4') return [await finished(request, coding, found)]
  }
  decline?.(found!.estimate)
  return []
}

/** Returns a result with its scans. Where a guard finds damage in halved chroma, full chroma is tried as well. */
async function finished(request: EncodeRequest, coding: Coding, found: Searched): Promise<Candidate> {
  const { picture, scorer, effort } = request
  const options = { ...thoroughOptions(picture, coding, effort), ...optionsOf(coding) }
  const qualities = new WeakMap([[found.data, found.quality]])
  const encodeAt = async (quality: number): Promise<Uint8Array> => {
    const data = await encode(picture, { ...options, quality })
    qualities.set(data, quality)
    return data
  }
  const inUsualScans = (data: Uint8Array): Promise<Uint8Array> =>
    encode(picture, { ...options, ...USUAL_SCANS, quality: qualities.get(data)! })
  const candidate = await scanned(
    raisable(found, {
      picture,
      type: 'image/jpeg',
      max: HIGHEST,
      curve: curveFrom(request, coding),
      // The file that is compared has no progressive scans yet.
      mostBytes: mostBeforeScans(request),
      encode: encodeAt,
      score: (data) => scorer.score(data),
    }),
    effort === 'fast' && hasBands(picture) && !isLarge(picture) ? inUsualScans : undefined,
  )
  if (coding.chroma === '4:4:4' || picture.grey) return candidate
  let inFull: Promise<Candidate | undefined> | undefined
  return orInFull(candidate, () => (inFull ??= searchFull(request)))
}

async function searchFull(request: EncodeRequest): Promise<Candidate | undefined> {
  const coding = { chroma: '4:4:4', table: COARSE } as const
  const found = await (request.effort === 'fast'
    ? searchPlainJpeg(request, coding)
    : searchJpegByProbe(request, coding))
  return found.tooLarge ? undefined : finished(request, coding, found)
}

/**
 * Returns a result with halved chroma that is raised to full chroma or to a higher setting, whichever takes fewer
 * bytes. Guards mostly find colours that are gone, but full chroma may take half as many bytes more: of 44 drawings and
 * screenshots, five took 15 to 25 % fewer bytes with a higher setting, and one took 2 % more.
 */
function orInFull(halved: Candidate, full: () => Promise<Candidate | undefined>): Candidate {
  return {
    ...halved,
    async raise(points) {
      const inFull = await full()
      if (inFull === undefined) return halved.raise?.(points)
      const expected = bytesAt(halved.score + points, halved)
      const raised = expected < inFull.data.length ? await halved.raise?.(points) : undefined
      return raised !== undefined && raised.data.length < inFull.data.length ? orInFull(raised, full) : inFull
    },
  }
}

/** Setting of `COARSE` from which `FINE` is tried: trying it from 80 saved 45 photographs no more bytes. */
const FINE_FROM = 84

/** Returns the setting of `FINE` that scores like one of `COARSE`, in the median. */
const finely = (quality: number): number => Math.round(0.954 * quality - 6.84)

/**
 * Returns the bytes that the finer tables may take more in a quick encode, where there are many: the trellis saves more
 * of theirs. Bands leave some doubt whether they are better at all.
 */
const fineSaves = (picture: Picture): number => (isQuicklyTried(picture) ? 1 : hasBands(picture) ? 1.015 : 1.03)

/**
 * Chooses the tables that take fewer bytes, by one quick encode: its results are nearly in the same order as mozjpeg's.
 */
async function chooseTable(
  probing: Probing,
  chroma: ChromaSubsampling,
  probed: Searched,
): Promise<{ coding: Coding; probed: Searched }> {
  const coarse = { coding: { chroma, table: COARSE }, probed } as const
  if (probed.expected < FINE_FROM) return coarse
  const coding = { chroma, table: FINE } as const
  const { expected, slope } = probed
  const fine = await probeJpeg(probing, coding, Infinity, { start: finely(expected), slope, forecast: ONE_LOOK })
  const { target, picture } = probing.request
  const isFine = bytesAt(target, fine) < bytesAt(target, probed) * fineSaves(picture)
  return isFine ? { coding, probed: fine } : coarse
}

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
