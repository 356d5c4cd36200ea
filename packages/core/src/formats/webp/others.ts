import sharp from 'sharp'
import type { Candidate, EncodeRequest } from '../../encoding/request.ts'
import { counted } from '../../encoding/counted.ts'
import { searchPalettes } from '../../encoding/palette.ts'
import { fromPicture, isSmall } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { blockKindOf } from '../../encoding/result-kind.ts'
import { sampleRows } from '../../encoding/sample-rows.ts'
import { repeatsLittle } from '../png/photograph.ts'

/** Levels of libwebp's near-lossless preprocessing, from strong to weak: they score about 91, 94, 96 and 97. */
const NEAR_LOSSLESS = [20, 40, 60, 80] as const

/**
 * Tells whether palettes are tried before lossy coding: for drawings, soft ones on nothing among them, and for small
 * pictures that repeat pixels, such as icons of more colours than a drawing has for its size. Ten icons and logos of
 * two sites took 16 to 72 % fewer bytes so.
 */
export const isFirstInFewColours = (picture: Picture): boolean =>
  picture.graphic ||
  (picture.channels === 4 && blockKindOf(picture) === 'block') ||
  (isSmall(picture) && !repeatsLittle(picture))

/** The alternatives to lossy coding, made where that cannot keep the promise or takes as many bytes. */
export interface Others {
  /** Estimates the least bytes that one of them takes. */
  least(): Promise<number>
  /** Returns the smallest of them, from which the others are left to go on with. */
  make(): Promise<Candidate | undefined>
}

/** Near-lossless coding takes this share of a quick encode's bytes, or more: 0.51 to 0.55 of three larger pictures. */
const QUICK_SHARE = 0.45

/** Returns the alternatives for one request; each is encoded at most once. */
export function othersOf(request: EncodeRequest): Others {
  const { picture } = request
  let least: Promise<number> | undefined
  let made: Promise<Candidate | undefined> | undefined
  return {
    least: () => (least ??= leastBytes(picture)),
    make: () => (made ??= makeOthers(request)),
  }
}

async function leastBytes(picture: Picture): Promise<number> {
  const rows = isSmall(picture) ? undefined : sampleRows(picture)
  if (rows === undefined) return 0
  const quick = await fromPicture(rows).webp({ nearLossless: true, quality: NEAR_LOSSLESS[0], effort: 0 }).toBuffer()
  return QUICK_SHARE * quick.length * (picture.height / rows.height)
}

async function makeOthers(request: EncodeRequest): Promise<Candidate | undefined> {
  const { picture, source } = request
  // A drawing without loss is among its first candidates.
  const exact = picture.graphic ? undefined : () => lossless(request)
  // A source of this type may be near-lossless already, and would lose a little each time.
  if (source !== undefined) return exact?.()
  const near = await nearLossless(request, NEAR_LOSSLESS, exact)
  const mayRepeat = !isFirstInFewColours(picture) && (isSmall(picture) || !repeatsLittle(picture))
  const few = mayRepeat ? await inFewColours(request) : []
  return [...few, ...(isSmall(picture) && exact !== undefined ? [await exact()] : [])].reduce(smallerOf, near)
}

/** The smaller of two ways to go on. When it is refused, it is the smaller of what comes after it and the other. */
export function smallerOf(one: Candidate | undefined, other: Candidate | undefined): Candidate | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const [first, second] = one.data.length <= other.data.length ? [one, other] : [other, one]
  return { ...first, raise: async (points) => smallerOf(await first.raise?.(points), second) }
}

/**
 * Returns the first of some levels that reaches the target, from which the others are left to go on with, and then what
 * has no loss.
 */
async function nearLossless(
  request: Pick<EncodeRequest, 'picture' | 'scorer' | 'target'>,
  levels: readonly number[],
  exact: (() => Promise<Candidate>) | undefined,
): Promise<Candidate | undefined> {
  const { picture, scorer, target } = request
  for (const [index, quality] of levels.entries()) {
    const data = await fromPicture(picture).webp({ nearLossless: true, quality, effort: 4 }).toBuffer()
    const score = await scorer.score(data, 'palette')
    if (score < target) continue
    const raise = (): Promise<Candidate | undefined> => nearLossless(request, levels.slice(index + 1), exact)
    return { data, type: 'image/webp', score, kind: 'palette', raise }
  }
  return exact?.()
}

/**
 * Points above the promise that a palette of many colours keeps, where the picture repeats pixels, and the promise that
 * is enough: those just at 80 turned a coin's soft shadow into a ring and its gradient into three steps, 5 points above
 * there were still two, and 8 above none to be seen at 300 %. Grain hides them.
 */
const STRICTER = 8
const STRICT_ENOUGH = 95

/** Returns the picture in the fewest colours that keep the promise, where it has so few. */
export async function inFewColours(request: EncodeRequest): Promise<Candidate[]> {
  const candidates: Candidate[] = []
  const { picture } = request
  const isSmooth = !picture.graphic && !repeatsLittle(picture)
  const strict = Math.max(request.target, Math.min(STRICT_ENOUGH, request.target + STRICTER))
  for (const { png, score } of searchPalettes({ ...request, target: isSmooth ? strict : request.target })) {
    const data = await smallest(request, () => counted(sharp(png)))
    candidates.push({ data, type: 'image/webp', score })
  }
  return candidates
}

/** Encodes losslessly; the colours of clear pixels are free. */
export async function lossless(request: EncodeRequest): Promise<Candidate> {
  const data = await smallest(request, () => fromPicture(request.picture))
  return { data, type: 'image/webp', score: 100 }
}

/**
 * Pixels up to which all of libwebp's ways are tried, which takes 13 microseconds per pixel instead of 0.2. Seven of 8
 * icons of at most 20,000 pixels took 2 to 13 % fewer bytes so, and four of 16 larger drawings 2 to 12 %.
 */
const TRIED_IN_ALL_WAYS = 20_000

/** Bytes per pixel from which a picture is noise, for which all ways took up to 120 microseconds per pixel. */
const NOISE = 1

/** The share of the usual way's bytes that the best way takes at least. */
const BEST_SHARE = 0.85

/** Returns the fewest bytes of libwebp's lossless coding at effort 4, and for an icon at the highest effort. */
async function smallest(
  { picture: { width, height }, effort, mostBytes = Infinity }: EncodeRequest,
  open: () => ReturnType<typeof fromPicture>,
): Promise<Uint8Array> {
  const quick = await open().webp({ lossless: true, effort: 4, exact: false }).toBuffer()
  const pixels = width * height
  const isIcon = pixels <= TRIED_IN_ALL_WAYS && quick.length < NOISE * pixels
  if (effort === 'fast' || !isIcon || BEST_SHARE * quick.length > mostBytes) return quick
  const thorough = await open().webp({ lossless: true, effort: 6, quality: 100, exact: false }).toBuffer()
  return thorough.length < quick.length ? thorough : quick
}
