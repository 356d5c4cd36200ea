import type { Indexed } from '../quality/guards/snap.ts'
import type { Effort } from '../types.ts'
import type { Packing } from './deflate.ts'
import { encodeIndexedPng } from './indexed-png.ts'
import type { Picture } from './picture.ts'
import { createQuantiser } from './quantiser.ts'
import type { Mapping, Quantiser } from './quantiser.ts'
import type { EncodeRequest } from './request.ts'
import { WINDOWS } from './search.ts'
import { countProbe, timePhase } from '../work-counters.ts'

/** A picture in few colours that keeps the promise. */
export interface PaletteVersion {
  /** As a PNG of little effort, for encoders to go on with. */
  readonly png: Uint8Array
  /** The same compressed as is asked for. */
  encode(packing: Packing): Uint8Array
  readonly colours: number
  readonly score: number
}

type PaletteRequest = Pick<EncodeRequest, 'picture' | 'scorer' | 'target' | 'effort' | 'mostBytes'>

/** The most scores of one picture. Small pictures may take more, as they take little time and each colour counts. */
export const MOST_SCORES: Readonly<Record<Effort, number>> = { fast: 3, default: 6, max: 10 }
export const MOST_SCORES_OF_SMALL = 10
const SMALL_PICTURE = 100_000

/** Of these, those in search of the fewest colours; the others try ways to map pixels. */
const MOST_FOR_COLOURS: Readonly<Record<Effort, number>> = { fast: 3, default: 4, max: 6 }

/** The error of a pixel that the promise of 80 usually allows a graphic. */
const USUAL_ERROR = 0.6

/** 100 less the score is about proportional to a power of the error: this one, until two scores tell. */
const USUAL_POWER = 0.6
const POWERS = { least: 0.2, most: 3 } as const

/** Points above the promise that a number of colours is aimed at, as the model is not exact. */
const MARGIN = 0.3

/** The most by which one score changes the number of colours. */
const MOST_CHANGE = 3

/** Share of the colours of a palette that passes which are not worth a score to be saved. */
const NEARLY_AS_MANY = 0.06

/** Shares of the error that are diffused where a palette misses the promise by little. All of it makes dots, for no higher score. */
const DITHERS = [0.5, 0.75] as const

/** Points, of the score and of the guards, by which a palette may miss the promise and dithering still make it keep it. */
const DITHERING_HOPE = { score: 4, guards: 14 } as const

/** Colours up to which neither dithering nor tolerance save bytes. */
const FEW = 12

/** Colours for a palette that is mapped with tolerance, as a share of those needed without, and the tolerance at first. */
const MORE_COLOURS = 1.35
const TOLERANCE = 10

/** The least share of a palette's quick PNG that is left when it is compressed well. */
const COMPRESSED_SHARE = 0.7

/** Palette sizes at which a pixel needs half the bits. */
const DEPTHS = [16, 4, 2] as const

/** What a search is told of a palette that no promise allows. */
const LOWEST_RATING = 1

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
    const trials = new Trials(request, quantiser)
    findFewestColours(trials)
    if (request.effort !== 'fast') tryTolerance(trials)
    const { best } = trials
    if (best === undefined) return []
    const encode = (packing: Packing): Uint8Array => encodeIndexedPng(best, request.picture, packing)
    return [{ png: best.draft(), encode, colours: best.palette.length / 4, score: best.score }]
  } finally {
    quantiser.dispose()
  }
}

/** One palette and mapping, and how it did. */
interface Trial {
  readonly colours: number
  readonly mapping: Mapping
  readonly score: number
  /** The highest promise that it keeps: its score, or less by the guards. */
  readonly rated: number
}

/** A trial that keeps the promise. */
interface Passing extends Trial, Indexed {
  /** What compares two palettes. */
  draft(): Uint8Array
}

/** What has been tried of a picture, and what may still be. */
class Trials {
  readonly request: PaletteRequest
  readonly quantiser: Quantiser
  /** What the search has settled on so far. */
  best: Passing | undefined
  left: number

  constructor(request: PaletteRequest, quantiser: Quantiser) {
    const { picture, effort } = request
    const isSmall = picture.width * picture.height <= SMALL_PICTURE && effort !== 'fast'
    this.request = request
    this.quantiser = quantiser
    this.left = isSmall ? MOST_SCORES_OF_SMALL : MOST_SCORES[effort]
  }

  /** The scores of a palette; one that keeps the promise has its pixels, too. */
  try(colours: number, mapping: Mapping): Trial | Passing {
    const { picture, scorer, target } = this.request
    const { indices, palette, pixels } = timePhase('quantise', () => this.quantiser.map(colours, mapping))
    this.left--
    countProbe()
    const score = scorer.scorePixels(pixels)
    // Guards take as long as a score, and what fails by its score need not pass them.
    const rated = score < target ? score : Math.max(LOWEST_RATING, scorer.promiseKept(pixels, 'palette', score))
    const trial = { colours, mapping, score, rated }
    if (rated < target) return trial
    const kept = { indices: indices.slice(), palette }
    let png: Uint8Array | undefined
    return { ...trial, ...kept, draft: () => (png ??= encodeIndexedPng(kept, picture, 'draft')) }
  }
}

const hasPassed = (trial: Trial): trial is Passing => 'draft' in trial

/** Looks for the fewest colours that keep the promise, dithered where they do not without. */
function findFewestColours(trials: Trials): void {
  const { picture, target, effort } = trials.request
  const { largest } = trials.quantiser
  const mapping: Mapping = {}
  let most = trials.left - MOST_SCORES[effort] + MOST_FOR_COLOURS[effort]
  let failing: Trial | undefined
  let passing: Passing | undefined
  let current = mapping
  let colours = picture.graphic ? fewestWithin(trials.quantiser, USUAL_ERROR) : largest
  while (most-- > 0) {
    const trial = trials.try(colours, current)
    if (hasPassed(trial)) {
      passing = trial
      if (trial.score < target + WINDOWS[effort]) break
    } else {
      if (trial.colours === largest) {
        const isHopeful = trial.score >= target - DITHERING_HOPE.score && trial.rated >= target - DITHERING_HOPE.guards
        const dither = DITHERS.find((share) => share > (current.dither ?? 0))
        if (dither === undefined || !isHopeful) break
        current = { dither }
        continue
      }
      failing = trial
    }
    const next = nextColours(trials, passing, failing)
    if (next === undefined) break
    colours = next
  }
  trials.best = passing
  const depth = DEPTHS.find((each) => passing !== undefined && each < passing.colours && passing.colours <= 2 * each)
  if (depth === undefined || depth <= (failing?.colours ?? 0) || effort === 'fast') return
  const shallow = trials.try(depth, current)
  if (hasPassed(shallow)) trials.best = shallow
}

/** The fewest colours whose error is within a bound. */
function fewestWithin({ largest, errorOf }: Quantiser, error: number): number {
  let colours = largest
  while (colours > 2 && errorOf(colours - 1) <= error) colours--
  return colours
}

/** The number of colours to try next, by the error that the scores so far allow; `undefined` where none is worth it. */
function nextColours(
  { request: { target }, quantiser }: Trials,
  passing: Passing | undefined,
  failing: Trial | undefined,
): number | undefined {
  const { largest, errorOf } = quantiser
  const least = (failing?.colours ?? 1) + 1
  const most = (passing?.colours ?? largest + 1) - 1
  if (least > most || most - least < NEARLY_AS_MANY * most - 1) return undefined
  const from = passing ?? failing!
  let change = (missing(target + MARGIN) / missing(from.score)) ** (1 / powerOf(quantiser, passing, failing))
  // A guard's measures double in 20 points, and grow with the root of the error.
  if (from.rated < from.score) change = Math.min(change, 2 ** ((from.rated - target) / 10))
  const error = errorOf(from.colours) * change
  const wanted = Math.round(
    Math.min(from.colours * MOST_CHANGE, Math.max(from.colours / MOST_CHANGE, fewestWithin(quantiser, error))),
  )
  if (passing !== undefined && failing === undefined && wanted > passing.colours * (1 - NEARLY_AS_MANY))
    return undefined
  if (passing !== undefined && failing !== undefined && (wanted <= least || wanted >= most)) {
    return Math.min(most, Math.max(least, Math.round(Math.sqrt(passing.colours * failing.colours))))
  }
  return Math.min(most, Math.max(least, wanted))
}

const missing = (score: number): number => Math.max(MARGIN, 100 - score)

function powerOf({ errorOf }: Quantiser, passing: Trial | undefined, failing: Trial | undefined): number {
  if (passing === undefined || failing === undefined || failing.rated < failing.score) return USUAL_POWER
  const apart = Math.log(errorOf(failing.colours) / errorOf(passing.colours))
  if (apart <= 0) return USUAL_POWER
  const power = Math.log(missing(failing.score) / missing(passing.score)) / apart
  return Math.min(POWERS.most, Math.max(POWERS.least, power))
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
    if (hasPassed(trial)) {
      if (trial.draft().length < trials.best!.draft().length) trials.best = trial
      if (trial.score < target + WINDOWS.default) return
      tolerance *= 2
    } else {
      tolerance *= 0.4
    }
  }
}
