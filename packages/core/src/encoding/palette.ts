import type { Refusal } from '../quality/guards/index.ts'
import type { Packing } from './deflate.ts'
import type { Effort } from '../base/types.ts'
import { emphasiseRefused } from './emphasis.ts'
import { findFewestColours } from './fewest-colours.ts'
import { encodeIndexedPng } from './indexed-png.ts'
import { Tried, Trials } from './palette-trials.ts'
import type { PaletteRequest, Passing } from './palette-trials.ts'
import type { Picture } from './picture.ts'
import { nextPromise } from './promises.ts'
import type { Refused } from './request.ts'
import { createQuantiser } from './quantiser.ts'
import { tryTolerance } from './tolerance.ts'
import { timePhase } from '../base/counters.ts'

/** A picture with few colours that keeps the promise. */
export interface PaletteVersion {
  /** A quick PNG, from which encoders of other types continue. */
  readonly png: Uint8Array
  /** Encodes the same picture with a level of compression. */
  encode(packing: Packing): Uint8Array
  readonly colours: number
  readonly score: number
}

/** A higher promise is tried if the passing colours are at least this multiple of the failing ones. */
const LEAST_GAP = 1.3

/** A higher promise is tried after at most this many scores of a picture. */
const MOST_BEFORE_HIGHER: Readonly<Record<Effort, number>> = { fast: 3, default: 7, max: 15 }

/**
 * Maximum number of scores for one picture, including those for higher promises. A search that has begun is finished.
 */
export const MOST_SCORES_IN_ALL: Readonly<Record<Effort, number>> = { fast: 8, default: 22, max: 32 }

/**
 * Higher promises are tried for pictures of at most this many pixels, because each passing palette keeps its pixels in
 * memory.
 */
const MOST_PIXELS_FOR_HIGHER = 4_000_000

/** Smallest share of a quick PNG's bytes that thorough compression leaves. */
const COMPRESSED_SHARE = 0.7

/** The share that thorough compression leaves for most drawings. */
const USUAL_SHARE = 0.85

const searches = new WeakMap<Picture, Map<string, readonly PaletteVersion[]>>()

/**
 * Searches for the palette with the fewest colours that keeps the promise, and for the mapping with the fewest bytes.
 * The list is empty if 256 colours are too few, or if the picture has more than 50 megapixels. The encoders of one
 * picture share the result.
 */
export function searchPalettes(request: PaletteRequest): readonly PaletteVersion[] {
  const ofPicture = searches.get(request.picture) ?? new Map<string, readonly PaletteVersion[]>()
  searches.set(request.picture, ofPicture)
  const key = `${request.target} ${request.effort}`
  const known = ofPicture.get(key) ?? search(request)
  ofPicture.set(key, known)
  const { mostBytes = Infinity } = request
  return known.filter(({ png }) => png.length * COMPRESSED_SHARE <= mostBytes)
}

function search(request: PaletteRequest): PaletteVersion[] {
  const quantiser = timePhase('quantise', () => createQuantiser(request.picture))
  if (quantiser === undefined) return []
  try {
    const tried = new Tried(quantiser, request.scorer)
    const best = findBest(request, tried)
    if (best === undefined) {
      const { refused } = tried
      if (refused !== undefined) request.refuse?.(refusedPalette(refused.draft(), refused.refusal))
      return []
    }
    const encode = (packing: Packing): Uint8Array => encodeIndexedPng(best, request.picture, packing)
    return [{ png: best.draft(), encode, colours: best.palette.length / 4, score: best.score }]
  } finally {
    quantiser.dispose()
  }
}

const refusedPalette = (png: Uint8Array, refusal: Refusal): Refused => ({
  type: 'image/png',
  bytes: Math.round(png.length * USUAL_SHARE),
  refusal,
})

/**
 * Searches and confirms the result by all rows. If it misses the promise, the search runs again with that score known.
 */
function findBest(request: PaletteRequest, tried: Tried): Passing | undefined {
  for (;;) {
    const found = emphasiseRefused(request, tried, searchFrom(request, tried))
    const confirmed = found && tried.confirm(found, request)
    if (found === undefined || confirmed !== undefined) return confirmed
  }
}

/** Returns the smallest palette that the search finds for a promise. */
function searchFrom(request: PaletteRequest, tried: Tried): Passing | undefined {
  const trials = new Trials(request, tried)
  findFewestColours(trials)
  if (request.effort !== 'fast') tryTolerance(trials)
  const { best, isGuarded, gap } = trials
  const { picture } = request
  const higher = nextPromise(request.target)
  if (higher === undefined || picture.width * picture.height > MOST_PIXELS_FOR_HIGHER) return best
  if (tried.count > MOST_BEFORE_HIGHER[request.effort]) return best
  // If a guard decided the number of colours, a smaller number that was skipped may pass.
  if (!isGuarded || (best !== undefined && gap < LEAST_GAP)) return best
  const other = searchFrom({ ...request, target: higher }, tried)
  if (best === undefined || other === undefined) return best ?? other
  return other.draft().length < best.draft().length ? other : best
}
