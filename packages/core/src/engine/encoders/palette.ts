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

/** A picture in few colours that keeps the promise, as a PNG of little effort for encoders to go on with. */
export interface PaletteVersion {
  readonly png: Buffer
  readonly colours: number
  readonly score: number
}

type PaletteRequest = Pick<EncodeRequest, 'picture' | 'scorer' | 'target' | 'effort'>

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

/** Points that the quickest palette of 256 colours may lack for a better one still to keep the promise. */
const HOPE = 6

/** The same for more dithering, when the one before has just failed. */
const DITHERING_HOPE = 4

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
  const key = `${request.target} ${request.effort}`
  const known = ofPicture.get(key) ?? search(request)
  ofPicture.set(key, known)
  return known
}

async function search(request: PaletteRequest): Promise<PaletteVersion[]> {
  const { picture, target } = request
  if (!picture.graphic) {
    const { rated } = await quantise(request, { quality: 100, colours: 256, dither: 0.5, effort: 1 })
    if (rated < target - HOPE) return []
  }
  const found: PaletteVersion[] = []
  let reached = -Infinity
  for (const dither of DITHERS) {
    if (dither === 1 && (found.length > 0 || reached < target - DITHERING_HOPE)) break
    const best = await smallest(request, dither)
    reached = Math.max(reached, best.rated)
    if (best.rated < target) continue
    found.push({ png: best.png, colours: best.colours, score: best.score })
    if (picture.graphic && best.colours <= FLAT) break
  }
  return found
}

interface Quantised extends PaletteVersion {
  /** The score, less what some colour has moved too far. */
  readonly rated: number
}

async function smallest(request: PaletteRequest, dither: number): Promise<Quantised> {
  const { picture, target, effort } = request
  const made = new Map<Uint8Array, Quantised>()
  const settings = { dither, effort: QUANTISER_EFFORT[effort] }
  const { data } = await searchQuality({
    target,
    min: 1,
    max: 100,
    window: WINDOWS[effort],
    patience: PATIENCE.probe[effort] + 2,
    curve: LIBIMAGEQUANT,
    // Where all the colours may not be enough, they are tried first.
    start: picture.graphic ? undefined : 100,
    encode: async (quality) => {
      const result = await quantise(request, { ...settings, quality, colours: 256 })
      made.set(result.png, result)
      return result.png
    },
    score: async (png) => made.get(png)!.rated,
  })
  const found = made.get(data)!
  const next = DEPTHS.find((colours) => found.colours > colours && found.colours <= 2 * colours)
  if (found.rated < target || next === undefined) return found
  const smaller = await quantise(request, { ...settings, quality: 100, colours: next })
  return smaller.rated >= target && smaller.png.length < found.png.length ? smaller : found
}

async function quantise(
  { picture, scorer, target }: PaletteRequest,
  options: { quality: number; colours: number; dither: number; effort: number },
): Promise<Quantised> {
  const png = await fromPicture(picture)
    .png({ palette: true, compressionLevel: 6, ...options })
    .toBuffer()
  const score = await scorer.score(png)
  const decoded = picture.channels === 4 ? sharp(png).ensureAlpha() : sharp(png).removeAlpha()
  const penalty = shiftPenalty(picture, await decoded.toColourspace('srgb').raw().toBuffer(), target)
  return { png, colours: coloursOf(png), score, rated: score - penalty }
}

function coloursOf(png: Uint8Array): number {
  for (const { type, start } of pngChunks(png)) if (type === 'PLTE') return uint32(png, start) / 3
  return 256
}
