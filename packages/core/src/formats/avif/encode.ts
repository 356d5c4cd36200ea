import sharp from 'sharp'
import type { Effort } from '../../base/types.ts'
import { fromPicture, fromPictureIn16Bits, isSmall } from '../../encoding/picture.ts'
import type { Picture } from '../../encoding/picture.ts'
import { lowestKept } from '../../encoding/lowest-kept.ts'
import { raisable } from '../../encoding/raise.ts'
import type { Raising } from '../../encoding/raise.ts'
import { PATIENCE, WINDOWS, searchQuality, settingAt } from '../../encoding/search.ts'
import type { Curve, Searched } from '../../encoding/search.ts'
import type { Candidate, EncodeRequest, Encoder } from '../../encoding/request.ts'
import { encodeWithAlpha } from './alpha.ts'
import { forecastStep } from './forecast.ts'
import { AVIF_SETTINGS, avifStep } from './curves.ts'
import { WAYS, libaomEffortOf, kindOf, typicalCurve } from './kinds.ts'
import type { Kind } from './kinds.ts'
import type { ResolvedSettings } from '../../operations/encoder-settings.ts'

/**
 * The highest lossy setting that is tried. At 95, 20 of 80 pictures of 64 and 80 pixels were below a score of 80, at 98
 * none; beyond, files take a quarter more.
 */
const HIGHEST = avifStep(98)

/**
 * The largest share of the smallest other type's bytes that a drawing may be predicted to take as AVIF for its encodes
 * to be worth their time: guards make most results larger still.
 */
const WORTH_IT = { fast: 0.8, default: 0.9, max: 1 } as const satisfies Record<Effort, number>

/**
 * Points above the target that end the search of a photograph. Measured over 33 pictures: 1.5 instead of 0.7 saves one
 * encode for every third picture and costs 0.9 % more bytes; 2 instead of 1.5 takes 13 % less time for 1.3 % more
 * bytes.
 */
const PHOTOGRAPH_WINDOW = { ...WINDOWS, default: 2 } as const

/** The smallest share of a probe's bytes that a result of the same score takes at effort 4. */
const MAX_SHARE = 0.8

/**
 * libaom's effort of a photograph in which a guard finds damage: much of it comes of little effort. Ten of 26 resized
 * photographs of a site were damaged at effort 1: by effort 3 they took 6 to 42 % fewer bytes than by higher settings.
 */
const EFFORT_OF_DAMAGED: Readonly<Record<Effort, number | undefined>> = { fast: undefined, default: 3, max: undefined }

/**
 * Encodes with full chroma. Where a guard finds damage in 8 bits of a photograph, 10 bits and more effort are tried
 * next, as most such damage is steps in smooth areas. For 22 flat drawings, higher settings took 4 % fewer bytes than
 * 10 bits and a quarter less time.
 */
export const encodeAvif: Encoder = async (request) => {
  const { picture, effort, mostBytes = Infinity } = request
  if (mostBytes === 0) return []
  const kind = kindOf(picture, effort)
  if (isRivalled(request) && (await isOutOfReach(request, kind, mostBytes))) return []
  const needsTen = picture.channels === 4 || isSmall(picture)
  const bits = needsTen ? 10 : WAYS[kind].bits[effort]
  const made = await encodeInBits(request, kind, { bits })
  if (made === undefined) return []
  if (bits === 10 || kind === 'flat') return [made.candidate]
  const { candidate, step } = made
  const better = { bits: 10, start: step, libaomEffort: EFFORT_OF_DAMAGED[effort] } as const
  const raise = async (points: number): Promise<Candidate | undefined> =>
    (await encodeInBits(request, kind, better))?.candidate ?? candidate.raise?.(points)
  return [{ ...candidate, raise }]
}

/**
 * Tells whether the result competes with other types' results. The source's own type has a bound of its own, and much
 * effort tries what may win by little.
 */
const isRivalled = ({ picture, source, effort, rivalled }: EncodeRequest): boolean =>
  (picture.graphic || rivalled === true) && source === undefined && effort !== 'max'

/** The encodes of a picture in so many bits, and how they are judged. */
interface Encodes {
  curveAt(libaomEffort: number): Curve
  /** @param pixels rows of the picture. Default: all */
  encode(step: number, libaomEffort: number, pixels?: Picture): Promise<Uint8Array>
  score(data: Uint8Array): Promise<number>
  scoreOf(rows: Picture, data: Uint8Array): Promise<number>
}

function encodesOf({ picture, scorer, effort }: EncodeRequest, kind: Kind, bits: 8 | 10): Encodes {
  const { gainOf8Bits, shownWorse, tune } = WAYS[kind]
  const held = (shown: number): number => (bits === 8 && shown < 100 ? shown - shownWorse : shown)
  const made = new Map<string, Promise<Uint8Array>>()
  const encodeRows = (step: number, libaomEffort: number, pixels: Picture): Promise<Uint8Array> =>
    encodeWithAlpha(pixels, AVIF_SETTINGS[step]!, { effort: libaomEffort, bits, tune })
  return {
    curveAt: (libaomEffort) => typicalCurve(kind, libaomEffort, bits === 8 ? gainOf8Bits[effort] : 0),
    encode(step, libaomEffort, pixels = picture) {
      if (pixels !== picture) return encodeRows(step, libaomEffort, pixels)
      // A raise that is halved comes back to settings that the search has tried.
      const key = `${step} ${libaomEffort}`
      const data = made.get(key) ?? encodeRows(step, libaomEffort, picture)
      made.set(key, data)
      return data
    },
    score: async (data) => held(await scorer.score(data)),
    async scoreOf(rows, data) {
      const ofRows = scorer.ofPart(rows)
      try {
        return held(await ofRows.score(data))
      } finally {
        ofRows.dispose()
      }
    },
  }
}

/** Finds the place of the setting to begin with from encodes of some rows. */
function forecastFrom(
  { picture, target }: EncodeRequest,
  { curveAt, encode, scoreOf }: Encodes,
  libaomEffort: number,
): Promise<number | undefined> {
  return forecastStep({
    picture,
    target,
    curve: curveAt(libaomEffort),
    highest: HIGHEST,
    encode: (rows, step) => encode(step, libaomEffort, rows),
    score: scoreOf,
  })
}

/**
 * The search encodes what is written, except for `max`, whose probes save effort: no quicker setting foretells
 * another's score well enough to save an encode.
 * @param how `start`: the place of the setting to begin with; by default where the typical picture reaches the target.
 *   `libaomEffort`: of the result; by default that of its kind and size
 */
async function encodeInBits(
  request: EncodeRequest,
  kind: Kind,
  { bits, start, libaomEffort }: { bits: 8 | 10; start?: number; libaomEffort?: number | undefined },
): Promise<{ candidate: Candidate; step: number } | undefined> {
  const { picture, target, effort, mostBytes = Infinity, decline, rivalled } = request
  const way = WAYS[kind]
  const encodes = encodesOf(request, kind, bits)
  const { curveAt, encode, score } = encodes
  const final = libaomEffort ?? libaomEffortOf(kind, picture, effort)
  const mayForecast = start === undefined && effort !== 'max' && kind === 'photograph' && bits === 8
  const first = mayForecast ? await forecastFrom(request, encodes, final) : start
  const search = (
    libaomEffortOfAll: number,
    options: { window: number; patience: number; mostBytes: number },
    probed?: Searched,
  ): Promise<Searched> =>
    searchQuality({
      ...options,
      target,
      curve: curveAt(libaomEffortOfAll),
      start: probed?.expected ?? first,
      slope: probed?.slope,
      // Blurred at once, so only for scores that need it.
      min: target < 40 ? 0 : avifStep(10),
      max: HIGHEST,
      encode: (step) => encode(step, libaomEffortOfAll),
      score,
    })
  const probe =
    effort === 'max'
      ? await search(way.probe, {
          window: 0.8,
          patience: PATIENCE.probe.max,
          mostBytes: mostBytes / MAX_SHARE,
        })
      : undefined
  const most = isRivalled(request) ? mostBytes * WORTH_IT[effort] : mostBytes
  const mostAtFirst = rivalled === true && !isSmall(picture) ? mostBytes * WORTH_A_TRY.first : most
  const thorough = isSmall(picture) && effort !== 'fast' ? 'max' : effort
  const window = (kind === 'photograph' ? PHOTOGRAPH_WINDOW : WINDOWS)[thorough]
  const settings = { window, patience: PATIENCE.final[thorough], mostBytes: mostAtFirst }
  const found = probe?.tooLarge === true ? probe : await search(final, settings, probe)
  if (found.tooLarge || (isRivalled(request) && found.data.length > mostAtFirst)) {
    decline?.(found.estimate)
    return undefined
  }
  const how: Raising = {
    picture,
    type: 'image/avif',
    max: HIGHEST,
    curve: curveAt(final),
    mostBytes: most,
    encode: (step) => encode(step, final),
    score,
  }
  const candidate = raisable(found, how)
  if (isSmall(picture)) candidate.raise = (points) => lowestKept(found, points, how, request)
  return { candidate, step: found.quality }
}

/**
 * A drawing takes at least about so many times the bytes that it takes at half its size, effort 1 and this many points
 * below the target. Measured over 59 drawings: those with text and lines took 2 to 5 times as many; flat ones, which
 * other types are good at as well, took 1 to 2 times. Giving up here never lost more than 3 kB.
 */
const HALF_SIZE = { points: 3, effort: 1 } as const

/** Flat drawings take a fifth fewer bytes than such encodes tell. */
const HALF_SIZE_SHARE = { photograph: 2, drawing: 2, flat: 1.6 } as const satisfies Record<Kind, number>

/**
 * Pixels and bytes per pixel from which there is no need to look: whole encodes are quick, and other types are bad at
 * the picture.
 */
const WORTH_A_LOOK = { pixels: 50_000, bytes: 0.1 } as const

/**
 * With little effort there is no look at large drawings that take so few bytes per pixel in another type: of 12 such,
 * AVIF was smaller for one, by 8 %, and took half of the time of all types.
 */
const FEW_BYTES = { pixels: 900_000, bytes: 0.03 } as const

/** Predicts that a drawing takes more than so many bytes, or hardly fewer. */
async function isOutOfReach(request: EncodeRequest, kind: Kind, mostBytes: number): Promise<boolean> {
  const { picture, effort, target, rivalled } = request
  const pixels = picture.width * picture.height
  if (effort === 'fast' && pixels >= FEW_BYTES.pixels && mostBytes <= pixels * FEW_BYTES.bytes) return true
  if (rivalled === true) return isHardlySmaller(request, mostBytes)
  if (pixels < WORTH_A_LOOK.pixels || mostBytes > pixels * WORTH_A_LOOK.bytes) return false
  const quality = qualityAt(typicalCurve('drawing', WAYS.drawing.probe), target - HALF_SIZE.points)
  const half = await encodeWithAlpha(await atHalfSize(picture), quality, HALF_SIZE)
  return half.length * HALF_SIZE_SHARE[kind] > mostBytes
}

/**
 * Where several types compete, AVIF is tried for an opaque drawing whose half size takes at most the share `half` of
 * the smallest other result. AVIF was smaller by 9 % or more for 12 of 49 drawings, which took 0.14 to 0.41, and for
 * none of the 23 that took more. It was never smaller for three `large` ones of 0.34 and more, whose search takes
 * seconds. Unless the picture is small, the search gives up above the share `first`, because guards add bytes.
 *
 * AVIF was smaller for one of 58 drawings with transparency, by 1.5 %.
 */
const WORTH_A_TRY = { half: 0.42, large: 0.3, first: 0.72 } as const
const LARGE_DRAWING = 1_000_000

/** An AVIF's headers take a third of so many bytes. */
const WORTH_A_HEADER = 1000

async function isHardlySmaller({ picture, target }: EncodeRequest, mostBytes: number): Promise<boolean> {
  if (picture.channels === 4 || mostBytes < WORTH_A_HEADER) return true
  const quality = qualityAt(typicalCurve('flat', HALF_SIZE.effort), target)
  const half = await encodeWithAlpha(await atHalfSize(picture), quality, {
    effort: HALF_SIZE.effort,
    bits: 8,
    tune: WAYS.flat.tune,
  })
  const isLargeDrawing = picture.width * picture.height >= LARGE_DRAWING
  return half.length > mostBytes * (isLargeDrawing ? WORTH_A_TRY.large : WORTH_A_TRY.half)
}

const qualityAt = (curve: Curve, score: number): number => AVIF_SETTINGS[settingAt(curve, score, 0, HIGHEST)]!

async function atHalfSize(picture: Picture): Promise<Picture> {
  const { data, width, height, channels } = picture
  const size = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) }
  const half = await sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    .resize({ ...size, fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer()
  return { ...picture, ...size, data: half }
}

/** Encodes once with the caller's own settings. */
export function encodePlainAvif(
  picture: Picture,
  { lossless, ...settings }: ResolvedSettings<'avif'>,
): Promise<Uint8Array> {
  return (lossless ? fromPicture(picture) : fromPictureIn16Bits(picture))
    .avif({ ...settings, lossless, bitdepth: lossless ? 8 : 10 })
    .toBuffer()
}

const LOSSLESS_EFFORT = { fast: 2, default: 3, max: 4 } as const satisfies Record<Effort, number>

/** Encodes every pixel exactly, with full chroma. */
export async function encodeLosslessAvif({
  picture,
  effort,
}: Pick<EncodeRequest, 'picture' | 'effort'>): Promise<readonly Uint8Array[]> {
  const settings = {
    lossless: true,
    quality: 100,
    chromaSubsampling: '4:4:4',
    effort: LOSSLESS_EFFORT[effort],
  } as const
  return [await encodePlainAvif(picture, settings)]
}
