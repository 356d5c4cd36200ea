import type { Effort } from '../base/types.ts'
import { MOST_SCORES } from './palette-trials.ts'
import type { Passing, Trial, Trials } from './palette-trials.ts'
import type { Mapping, Quantiser } from './quantiser.ts'
import { WINDOWS } from './search.ts'

/** Scores that the search for the fewest colours may use. The rest of a picture's scores is for ways to map pixels. */
const MOST_FOR_COLOURS: Readonly<Record<Effort, number>> = { fast: 3, default: 4, max: 6 }

/** Error of a pixel that a promise of 80 usually allows in a graphic. */
const USUAL_ERROR = 0.6

/**
 * 100 minus the score is roughly proportional to a power of the error. The search assumes this power until two scores
 * give a better one.
 */
const USUAL_POWER = 0.6
const POWERS = { least: 0.2, most: 3 } as const

/** Points above the promise that the search aims at, because the model is not exact. */
const MARGIN = 0.3

/** Largest factor by which one score changes the number of colours. */
const MOST_CHANGE = 3

/**
 * Smallest growth of the number of colours after one, two, and three or more trials in a row that reach the score and
 * that a guard refuses. A guard's measure drops in jumps, when a missing colour enters the palette, so steps that
 * follow its value stall: seven pictures of public sites got no palette, after trials such as 44, 60, 62 and 64 colours
 * where 83 pass.
 */
const GROWTH_WHILE_REFUSED = [1.15, 1.4, 1.8] as const

/** Growth of the number of colours for the last trial, if a guard has refused all trials that reach the score. */
const LAST_GROWTH = 2

/**
 * If a passing palette has more colours than a failing one times this factor, another trial between them is worth a
 * score.
 */
const WIDE_GAP = 1.3

/** Trials that are added, beginning with the largest palette, if no trial has passed and the largest was not tried. */
export const TRIALS_FROM_LARGEST: Readonly<Record<Effort, number>> = { fast: 1, default: 3, max: 3 }

/** Saving a smaller share of a passing palette's colours is not worth another score. */
const NEARLY_AS_MANY = 0.06

/**
 * Shares of the error that are diffused if a palette barely misses the promise. Full diffusion shows dots without a
 * higher score.
 */
const DITHERS = [0.5, 0.75] as const

/**
 * A palette that misses the promise by at most so many points, in its score and by the guards, may keep it with
 * dithering.
 */
const DITHERING_HOPE = { score: 4, guards: 14 } as const

/** Palette sizes at which a pixel needs half the bits. */
const DEPTHS = [16, 4, 2] as const

/**
 * Searches for the fewest colours that keep the promise, with dithering if it takes that. The result goes to
 * `trials.best`, which stays unset only if the largest palette fails too.
 */
export function findFewestColours(trials: Trials): void {
  const { picture, target, effort } = trials.request
  const { largest } = trials.quantiser
  let most = trials.left - MOST_SCORES[effort] + MOST_FOR_COLOURS[effort]
  let mayGoOn = true
  const goOn = (): boolean => {
    if (!mayGoOn) return false
    mayGoOn = false
    most = TRIALS_FROM_LARGEST[effort]
    return true
  }
  let failing: Trial | undefined
  let passing: Passing | undefined
  let mapping: Mapping = {}
  let colours = picture.graphic ? fewestWithin(trials.quantiser, USUAL_ERROR) : largest
  /** Trials in a row that reach the score and that a guard refuses. */
  let refused = 0
  while (most-- > 0) {
    const trial = trials.try(colours, mapping)
    if (trials.hasPassed(trial)) {
      const isFirst = passing === undefined
      passing = trial
      if (trial.seen < target + WINDOWS[effort]) break
      if (isFirst && most === 0 && failing !== undefined && colours > failing.colours * WIDE_GAP) most = 1
    } else if (trial.colours === largest) {
      const dither = ditherAfter(trial, target)
      if (dither === undefined || (most === 0 && !goOn())) break
      mapping = { dither }
      continue
    } else {
      refused = trial.seen >= target ? refused + 1 : 0
      failing = trial
    }
    const next = nextColours(trials, passing, failing)
    if (passing === undefined && (next === undefined || most === 0) && goOn()) colours = largest
    else if (next === undefined) break
    else colours = passing === undefined ? Math.min(largest, Math.max(next, grown(colours, refused, most === 1))) : next
  }
  trials.best = passing
  trials.gap = (passing?.colours ?? largest) / (failing?.colours ?? 1)
  const depth = DEPTHS.find((each) => passing !== undefined && each < passing.colours && passing.colours <= 2 * each)
  if (depth === undefined || depth <= (failing?.colours ?? 0) || effort === 'fast') return
  const shallow = trials.try(depth, mapping)
  if (trials.hasPassed(shallow)) trials.best = shallow
}

/**
 * Returns the share of the error to diffuse after the largest palette has failed; `undefined` if that is not expected
 * to help.
 */
function ditherAfter({ seen, rated, mapping }: Trial, target: number): number | undefined {
  if (seen < target - DITHERING_HOPE.score || rated < target - DITHERING_HOPE.guards) return undefined
  return DITHERS.find((share) => share > (mapping.dither ?? 0))
}

/** Returns the fewest colours to try after a palette has failed, if none has passed. */
function grown(colours: number, refused: number, isLast: boolean): number {
  if (isLast && refused > 0) return colours * LAST_GROWTH
  const growth = GROWTH_WHILE_REFUSED[Math.min(refused, GROWTH_WHILE_REFUSED.length) - 1] ?? 1
  return Math.ceil(colours * growth)
}

/** Returns the fewest colours whose error is within a bound. */
function fewestWithin({ largest, errorOf }: Quantiser, error: number): number {
  let colours = largest
  while (colours > 2 && errorOf(colours - 1) <= error) colours--
  return colours
}

/**
 * Returns the number of colours to try next, from the error that the scores so far allow; `undefined` if no number is
 * worth a trial.
 */
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
  let change = (missing(target + MARGIN) / missing(from.seen)) ** (1 / powerOf(quantiser, passing, failing))
  // A guard's measure doubles over 20 points and grows with the square root of the error.
  if (from.rated < from.seen) change = Math.min(change, 2 ** ((from.rated - target) / 10))
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
  if (passing === undefined || failing === undefined || failing.rated < failing.seen) return USUAL_POWER
  const apart = Math.log(errorOf(failing.colours) / errorOf(passing.colours))
  if (apart <= 0) return USUAL_POWER
  const power = Math.log(missing(failing.seen) / missing(passing.seen)) / apart
  return Math.min(POWERS.most, Math.max(POWERS.least, power))
}
