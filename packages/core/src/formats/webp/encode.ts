import { fromPicture } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import type { Candidate, EncodeRequest, Encoder } from '../../encoding/request.ts'
import { sampleRows } from '../../encoding/sample-rows.ts'
import { isLossyWebp } from './lossy.ts'
import { inFewColours, isFirstInFewColours, lossless, othersOf } from './others.ts'
import { encodeLossy } from './repair.ts'
import { searchLossy } from './search.ts'
import { SHARE_WITH_TRANSPARENCY } from './transparency.ts'
import type { ResolvedSettings } from '../../operations/encoder-settings.ts'

/** Bytes per pixel below which a lossless result cannot be beaten by a margin that is worth a search. */
const HARDLY_ANYTHING = 0.01

/** The quality setting this far below the target's number has never reached it, in drawings or photographs. */
const TOO_LOW = 20

/**
 * Which coding is smallest depends on the picture. A drawing is encoded losslessly, also in the fewest colours that
 * keep the promise, and lossily by search where that may be smaller. A photograph is encoded lossily by search; where
 * that cannot keep the promise, often because of halved chroma in small pictures, near-losslessly and losslessly.
 */
export const encodeWebp: Encoder = async (request) => {
  const { picture, target, mostBytes = Infinity } = request
  if (mostBytes === 0) return []
  const candidates = await withoutLossyCoding(request)
  const least = Math.min(...candidates.map(({ data }) => data.length))
  const bytes = Math.min(mostBytes, least)
  if (least < picture.width * picture.height * HARDLY_ANYTHING) return candidates
  if (request.rivalled === true && candidates.length > 0 && isExactSmallest(picture)) return candidates
  if (candidates.length > 0 && (await cannotWin(request, bytes))) return candidates
  const others = othersOf(request)
  const searched = await searchLossy({ ...request, mostBytes: bytes }, others)
  if (searched !== undefined) candidates.push(searched)
  const isLost = searched === undefined ? !wasLossy(request) : searched.score < target
  if (isLost && !picture.graphic) {
    const better = await kept(searched === undefined ? await others.make() : await searched.raise?.(1), target)
    if (better !== undefined) candidates.push(better)
  }
  return candidates
}

/**
 * Pixels up to which lossy coding is not tried for an icon of many colours among several types: near-lossless versions
 * took most of the time of icons, and were smaller than palettes by little.
 */
const ICON_PIXELS = 20_000

/** Returns `true` if a palette, or lossless coding, is hardly ever larger than lossy coding. */
const isExactSmallest = ({ graphic, width, height }: Picture): boolean => graphic || width * height <= ICON_PIXELS

/** Returns the first of better and better results that keeps the promise by its score. */
async function kept(candidate: Candidate | undefined, target: number): Promise<Candidate | undefined> {
  let better = candidate
  while (better !== undefined && better.score < target) better = await better.raise?.(1)
  return better
}

/** A source of this type with few colours keeps them: somebody chose them already. */
async function withoutLossyCoding(request: EncodeRequest): Promise<Candidate[]> {
  const { picture, source } = request
  const mayChoose = isFirstInFewColours(picture) && (source === undefined || !picture.paletted)
  const candidates = mayChoose ? await inFewColours(request) : []
  if (!picture.graphic) return candidates
  // A picture that was lossy takes more bytes without loss, unless there is hardly anything in it.
  const isLarger = (wasLossy(request) && !picture.paletted) || (await losslessIsLarger(request, candidates))
  return isLarger ? candidates : [await lossless(request), ...candidates]
}

/** A palette this much smaller than some of the picture's rows foretell stays smaller than all of it without loss. */
const CLEARLY_SMALLER = 0.5

/**
 * Estimates from an eighth of the picture whether lossless coding would take clearly more bytes than the best result so
 * far.
 */
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

/** Tells whether lossy coding, at a setting too low for the promise, takes more bytes than a result that keeps it. */
async function cannotWin({ picture, target }: EncodeRequest, bytes: number): Promise<boolean> {
  if (bytes === Infinity) return false
  const quality = Math.max(1, Math.round(target) - TOO_LOW)
  const low = await encodeLossy(picture, { effort: 2 }, quality)
  return low.length * (picture.channels === 4 ? SHARE_WITH_TRANSPARENCY : 1) > bytes
}

/** Encodes once with the caller's own settings. */
export function encodePlainWebp(picture: Picture, settings: ResolvedSettings<'webp'>): Promise<Uint8Array> {
  return fromPicture(picture).webp(settings).toBuffer()
}

/** Keeps the colours of transparent pixels, which may be data. */
export async function encodeLosslessWebp({
  picture,
  effort,
}: Pick<EncodeRequest, 'picture' | 'effort'>): Promise<readonly Uint8Array[]> {
  const settings = { lossless: true, exact: true, effort: effort === 'max' ? 6 : 4 }
  return [await fromPicture(picture).webp(settings).toBuffer()]
}
