import type { Trials } from './palette-trials.ts'
import { WINDOWS } from './search.ts'

/** With at most this many colours, neither dithering nor tolerance saves bytes. */
const FEW = 12

/** Colours of a palette with tolerance, as a multiple of those needed without, and the tolerance of the first try. */
const MORE_COLOURS = 1.35
const TOLERANCE = 10

/** A larger tolerance is tried only if the first one saves at least 1% of the bytes. */
const WORTH_MORE_TOLERANCE = 0.99

/** Tries more colours with tolerance: repeated indices may save more bytes than fewer colours do. */
export function tryTolerance(trials: Trials): void {
  const { target } = trials.request
  const found = trials.best
  if (found === undefined || found.colours <= FEW || found.mapping.dither !== undefined) return
  const more = Math.min(trials.quantiser.largest, Math.round(found.colours * MORE_COLOURS))
  const colours = found.colours <= 16 ? Math.min(16, more) : more
  let tolerance = TOLERANCE
  for (let tries = 0; tries < 2 && trials.left > 0; tries++) {
    // If a tolerance saves nothing, neither does another one, and a score takes longer than a quick PNG.
    const least = trials.best!.draft().length * WORTH_MORE_TOLERANCE
    if (trials.draftBytes(colours, { tolerance }) > least) return
    const trial = trials.try(colours, { tolerance })
    if (trials.hasPassed(trial)) {
      trials.best = trial
      if (trial.seen < target + WINDOWS.default) return
      tolerance *= 2
    } else {
      tolerance *= 0.4
    }
  }
}
