import type { Refusal } from '../quality/guards/index.ts'
import { Trials } from './palette-trials.ts'
import type { PaletteRequest, Passing, RefusedTrial, Tried } from './palette-trials.ts'
import { tryTolerance } from './tolerance.ts'

/** A palette is trained again if it has at most this share of the colours that pass: the others save few bytes. */
const FEWER = 0.9

/**
 * How often palettes are trained again for one picture. The first time made 50 of 107 pictures pass, the second 15,
 * and a third would have made 4.
 */
const MOST_TRAININGS = 2

/**
 * The measure, as a multiple of the guard's limit, above which no more weight helps. Jagged outlines and bands are in
 * many places of a picture, so weight on one of them seldom helps. `twice` judges the whole picture and has no place.
 */
const MOST_ABOVE: Partial<Record<Refusal['guard'], number>> = { jag: 1.2, band: 1.4, twice: 0 }
const MOST_ABOVE_OTHERS = 2.5

/** A second place is emphasised unless the measure has grown to more than this multiple. */
const MOST_GROWTH = 1.05

/**
 * Trains palettes again where a guard refused one with fewer colours than pass, or where none passes: a small place,
 * such as a photograph in a screenshot, has colours of which the palette took none. Their weight there is raised, and
 * the same number of colours tried. Returns the smaller of what passes and what was found before.
 */
export function emphasiseRefused(
  request: PaletteRequest,
  tried: Tried,
  found: Passing | undefined,
): Passing | undefined {
  if (request.effort === 'fast' || tried.trainings > 0) return found
  const refused = tried.refusedBelow((found?.colours ?? Infinity) * FEWER, request.target)
  const passing = refused && tryEmphasised(request, tried, refused)
  if (found === undefined || passing === undefined) return found ?? passing
  return passing.draft().length < found.draft().length ? passing : found
}

/** Returns the palette that passes with more weight on the place of the worst damage, and then on the next one. */
function tryEmphasised(request: PaletteRequest, tried: Tried, refused: RefusedTrial): Passing | undefined {
  let worst: Refusal | undefined = refused.refusal
  while (worst !== undefined && tried.trainings < MOST_TRAININGS && mayHelp(worst)) {
    tried.emphasise(worst)
    const trials = new Trials(request, tried)
    const trial = trials.try(refused.colours, {})
    if (trials.hasPassed(trial)) {
      trials.best = trial
      tryTolerance(trials)
      return trials.best
    }
    worst = trial.seen < request.target ? undefined : unlessWorse(trial.refusal, worst)
  }
  return undefined
}

const mayHelp = ({ guard, share }: Refusal): boolean => share <= (MOST_ABOVE[guard] ?? MOST_ABOVE_OTHERS)

const unlessWorse = (refusal: Refusal | undefined, before: Refusal): Refusal | undefined =>
  refusal !== undefined && refusal.share <= before.share * MOST_GROWTH ? refusal : undefined
