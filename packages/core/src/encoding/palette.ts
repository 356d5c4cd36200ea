import type { Refusal } from '../quality/guards/index.ts'
import type { Packing } from './deflate.ts'
import type { Effort } from '../base/types.ts'
import { findFewestColours } from './fewest-colours.ts'
import { encodeIndexedPng } from './indexed-png.ts'
import { Tried, Trials } from './palette-trials.ts'
import type { PaletteRequest, Passing } from './palette-trials.ts'
import type { Picture } from './picture.ts'
import { nextPromise } from './promises.ts'
import type { Refused } from './request.ts'
import { createQuantiser } from './quantiser.ts'
import { WINDOWS } from './search.ts'
import { timePhase } from '../base/counters.ts'

/** A picture in few colours that keeps the promise. */
export interface PaletteVersion {
  /** As a PNG of little effort, for encoders to go on with. */
  readonly png: Uint8Array
  /** The same compressed as is asked for. */
  encode(packing: Packing): Uint8Array
  readonly colours: number
  readonly score: number
}

/** Colours up to which neither dithering nor tolerance save bytes. */
const FEW = 12

/** Colours for a palette that is mapped with tolerance, as a share of those needed without, and the tolerance at first. */
const MORE_COLOURS = 1.35
const TOLERANCE = 10

/** The fewest colours that pass, as a multiple of the most that fail, from which on a higher promise is tried. */
const LEAST_GAP = 1.3

/** The scores of one picture after which no higher promise is tried. */
const MOST_BEFORE_HIGHER: Readonly<Record<Effort, number>> = { fast: 3, default: 7, max: 15 }

/** The most scores of one picture, those for higher promises with them: what is begun goes on to its end. */
export const MOST_SCORES_IN_ALL: Readonly<Record<Effort, number>> = { fast: 8, default: 18, max: 28 }

/** Pixels up to which higher promises are tried: each palette that passes is held. */
const MOST_PIXELS_FOR_HIGHER = 4_000_000

/** The most of a palette's bytes that a tolerance leaves for a larger one to be tried. */
const WORTH_MORE_TOLERANCE = 0.99

/** The least share of a palette's quick PNG that is left when it is compressed well. */
const COMPRESSED_SHARE = 0.7

/** The same in most palettes of drawings. */
const USUAL_SHARE = 0.85

const searches = new WeakMap<Picture, Map<string, readonly PaletteVersion[]>>()

/**
 * The fewest colours that keep the promise, mapped as takes the fewest bytes. None where 256 are too few, and of pictures of more than
 * 50 megapixels. Encoders of one picture share what is found.
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

/** What the search finds, scored as a whole; what misses the promise then is one of the trials of another search. */
function findBest(request: PaletteRequest, tried: Tried): Passing | undefined {
  for (;;) {
    const found = searchFrom(request, tried)
    const confirmed = found && tried.confirm(found, request)
    if (found === undefined || confirmed !== undefined) return confirmed
  }
}

/** The fewest bytes that are found for a promise. */
function searchFrom(request: PaletteRequest, tried: Tried): Passing | undefined {
  const trials = new Trials(request, tried)
  findFewestColours(trials)
  if (request.effort !== 'fast') tryTolerance(trials)
  const { best, isGuarded, gap } = trials
  const { picture } = request
  const higher = nextPromise(request.target)
  if (higher === undefined || picture.width * picture.height > MOST_PIXELS_FOR_HIGHER) return best
  if (tried.count > MOST_BEFORE_HIGHER[request.effort]) return best
  // Where a guard has set the number of colours, fewer may do among those that were left out.
  if (!isGuarded || (best !== undefined && gap < LEAST_GAP)) return best
  const other = searchFrom({ ...request, target: higher }, tried)
  if (best === undefined || other === undefined) return best ?? other
  return other.draft().length < best.draft().length ? other : best
}

/** More colours, mapped with tolerance, as repetition takes fewer bytes than colours do. */
function tryTolerance(trials: Trials): void {
  const { target } = trials.request
  const found = trials.best
  if (found === undefined || found.colours <= FEW || found.mapping.dither !== undefined) return
  const more = Math.min(trials.quantiser.largest, Math.round(found.colours * MORE_COLOURS))
  const colours = found.colours <= 16 ? Math.min(16, more) : more
  let tolerance = TOLERANCE
  for (let tries = 0; tries < 2 && trials.left > 0; tries++) {
    const trial = trials.try(colours, { tolerance })
    if (trials.hasPassed(trial)) {
      // Where some tolerance saves nothing, more does not either.
      if (trial.draft().length > trials.best!.draft().length * WORTH_MORE_TOLERANCE) return
      trials.best = trial
      if (trial.score < target + WINDOWS.default) return
      tolerance *= 2
    } else {
      tolerance *= 0.4
    }
  }
}
