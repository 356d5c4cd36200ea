import sharp from 'sharp'
import type { Effort } from '../../types.ts'
import { uint32 } from '../../metadata/bytes.ts'
import { pngChunks } from '../../metadata/png-chunks.ts'
import { fromPicture } from '../picture.ts'
import type { Picture } from '../picture.ts'
import { searchQuality } from '../search.ts'
import type { Curve } from '../search.ts'
import { shiftPenalty } from './colour-shift.ts'
import type { EncodeRequest } from './encoder.ts'
import { PATIENCE, WINDOWS } from './encoder.ts'
import { quantisePng } from './quantise.ts'

/** A picture in few colours that keeps the promise, as a PNG of little effort for encoders to go on with. */
export interface PaletteVersion {
  readonly png: Buffer
  readonly colours: number
  readonly score: number
}

type PaletteRequest = Pick<EncodeRequest, 'picture' | 'scorer' | 'target' | 'effort' | 'mostBytes'>

/**
 * Error diffusion, as a share. Flat graphics are smaller without; photographs and gradients need it, and half of it scores
 * nearly as high as all for fewer bytes.
 */
const DITHERS = [0, 0.5, 1] as const

/** Colours up to which a graphic without dithering is not going to be smaller with it. */
const FLAT = 64

/** Median score at libimagequant's quality, at whose lower end it takes fewer colours. */
export const LIBIMAGEQUANT: Curve = [
  [1, 50],
  [20, 74],
  [40, 82],
  [60, 87],
  [80, 91],
  [100, 97],
]

/** Of sharp: libimagequant's speed is 11 less this. */
export const QUANTISER_EFFORT: Readonly<Record<Effort, number>> = { fast: 4, default: 7, max: 10 }

/** The same for photographs' results before the last: half the time of the default effort, for a point or less. */
const PROBE_EFFORT: Readonly<Record<Effort, number>> = { fast: 4, default: 5, max: 10 }

/** libimagequant's quality from which photographs take all 256 colours and stay as they are. */
const ALL_COLOURS = 75

/** Points that the quickest palette of 256 colours may lack for a better one still to keep the promise: the usual gain. */
const HOPE = 1.5

/** The most that it gained, for pictures of so few pixels that trying costs little. */
const LAST_HOPE = 4
const SMALL_PICTURE = 100_000

/** The same for more dithering, when the one before has just failed. */
const DITHERING_HOPE = 4

/** Of the bytes of one palette's PNG, those of another that may yet be packed to fewer. */
const PACKED_ALIKE = 1.04

/** Of the bytes of a palette's PNG, the least that stay when it is packed well. */
const PACKED_SHARE = 0.7

/** Share of the colours that keep the promise: where as many fail, none between are tried, as trying costs more than the bytes are worth. */
const NEARLY_AS_MANY = 0.85

/** Palette sizes at which a pixel needs half the bits. */
const DEPTHS = [16, 4, 2] as const

const searches = new WeakMap<Picture, Map<string, Promise<readonly PaletteVersion[]>>>()

/**
 * The fewest colours that keep the promise, without and with dithering where that may pay. None for most photographs.
 * Encoders of one picture share what is found.
 */
export function searchPalettes(request: PaletteRequest): Promise<readonly PaletteVersion[]> {
  const ofPicture = searches.get(request.picture) ?? new Map<string, Promise<readonly PaletteVersion[]>>()
  searches.set(request.picture, ofPicture)
  const key = `${request.target} ${request.effort} ${request.mostBytes}`
  const known = ofPicture.get(key) ?? search(request)
  ofPicture.set(key, known)
  return known
}

async function search(request: PaletteRequest): Promise<PaletteVersion[]> {
  const { picture, target, mostBytes = Infinity } = request
  if (!picture.graphic) {
    // Colours that moved too far may be back in place with more effort; the score tells what may be gained.
    const { score } = await quantise(request, { quality: 100, colours: 256, dither: 0.5, effort: 1 })
    const isSmall = picture.width * picture.height <= SMALL_PICTURE
    if (score < target - (isSmall ? LAST_HOPE : HOPE)) return []
  }
  const found: PaletteVersion[] = []
  let reached = -Infinity
  let most = mostBytes / PACKED_SHARE
  let start = picture.graphic ? undefined : ALL_COLOURS
  for (const dither of DITHERS) {
    if (dither === 1 && (found.length > 0 || reached < target - DITHERING_HOPE)) break
    const best = await smallest(request, { dither, start, mostBytes: most })
    // More dithering takes more bytes.
    if (best === undefined) break
    reached = Math.max(reached, best.rated)
    if (best.rated < target) continue
    found.push({ png: best.png, colours: best.colours, score: best.score })
    if (request.effort === 'fast' || (picture.graphic && best.colours <= FLAT)) break
    most = Math.min(most, best.png.length * PACKED_ALIKE)
    start = best.quality
  }
  return found
}

interface Quantised extends PaletteVersion {
  /** The score, less what some colour has moved too far. */
  readonly rated: number
  /** libimagequant's. */
  readonly quality: number
}

/** `undefined` where it takes more than `mostBytes`. */
async function smallest(
  request: PaletteRequest,
  { dither, start, mostBytes }: { dither: number; start: number | undefined; mostBytes: number },
): Promise<Quantised | undefined> {
  const { picture, target, effort } = request
  const made = new Map<Uint8Array, Quantised>()
  const isSmall = picture.width * picture.height <= SMALL_PICTURE
  const isQuick = picture.graphic || isSmall
  const settings = { dither, effort: (isQuick ? QUANTISER_EFFORT : PROBE_EFFORT)[effort] }
  let full: Quantised | undefined
  const { data, tooLarge } = await searchQuality({
    target,
    mostBytes,
    min: 1,
    max: 100,
    window: WINDOWS[effort],
    patience: PATIENCE.probe[effort] + 2,
    curve: LIBIMAGEQUANT,
    start,
    isSettled: (passing, failing) =>
      !isSmall && made.get(failing)!.colours >= made.get(passing)!.colours * NEARLY_AS_MANY,
    encode: async (quality) => {
      // Beyond the quality that takes all colours nothing changes.
      if (full !== undefined && quality >= full.quality) return full.png
      const result = await quantise(request, { ...settings, quality, colours: 256 })
      made.set(result.png, result)
      if (result.colours === 256) full = result
      return result.png
    },
    score: async (png) => made.get(png)!.rated,
  })
  if (tooLarge) return undefined
  const found = made.get(data)!
  const better: Quantised[] = []
  const thorough = { dither, effort: QUANTISER_EFFORT[effort] }
  if (thorough.effort !== settings.effort && found.rated >= target - DITHERING_HOPE) {
    better.push(await quantise(request, { ...thorough, quality: found.quality, colours: 256 }))
  }
  const next = DEPTHS.find((colours) => found.colours > colours && found.colours <= 2 * colours)
  if (found.rated >= target && next !== undefined) {
    better.push(await quantise(request, { ...thorough, quality: 100, colours: next }))
  }
  return better.reduce((best, each) => (isBetter(each, best, target) ? each : best), found)
}

/** Fewer bytes of two that keep the promise, else the one that comes nearer to it. */
function isBetter(one: Quantised, other: Quantised, target: number): boolean {
  if (one.rated < target || other.rated < target) return one.rated > other.rated
  return one.png.length < other.png.length
}

async function quantise(
  { picture, scorer, target }: PaletteRequest,
  options: { quality: number; colours: number; dither: number; effort: number },
): Promise<Quantised> {
  const png = await quantisePng(fromPicture(picture), options, { compressionLevel: 6 })
  const decoded = picture.channels === 4 ? sharp(png).ensureAlpha() : sharp(png).removeAlpha()
  const pixels = await decoded.toColourspace('srgb').raw().toBuffer()
  const score = scorer.scorePixels(pixels)
  const penalty = shiftPenalty(picture, pixels, target)
  return { png, colours: coloursOf(png), score, rated: score - penalty, quality: options.quality }
}

function coloursOf(png: Uint8Array): number {
  for (const { type, start } of pngChunks(png)) if (type === 'PLTE') return uint32(png, start) / 3
  return 256
}
