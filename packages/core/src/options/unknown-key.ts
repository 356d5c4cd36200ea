import { PixpressError } from '../base/errors.ts'
import { cut } from '../base/shown-value.ts'
import { visibleText } from '../base/visible-text.ts'

/** No word of ours is as long. A longer one is somebody's data, and would take minutes to compare. */
const LONGEST_WORD = 100

/** Sentences for options that are gone: they tell the replacement. */
const GONE: Readonly<Record<string, string>> = {
  fallback:
    "It is gone: `convert: 'auto'` writes one URL for each image and leaves pages as they are. For an image in several formats write `?as=picture`.",
  dimensions:
    'It is gone, as pages stay as they are. Write `width` and `height` at each <img>: `pixpress audit` names those without.',
}

/**
 * Returns the one sentence about a key that does not exist: `Unknown option 'resize.widht'. Did you mean 'width'?`
 * @param path the option that holds the key (`resize`); empty for an option itself
 */
export function unknownKey(path: string, key: string, known: readonly string[]): PixpressError {
  const shown = cut(key)
  const name = path === '' ? shown : `${path}.${shown}`
  const gone = path === '' && Object.hasOwn(GONE, key) ? GONE[key] : undefined
  if (gone !== undefined) return new PixpressError('INVALID_OPTION', `Unknown option '${key}'. ${gone}`)
  return new PixpressError('INVALID_OPTION', `Unknown option '${visibleText(name)}'. ${didYouMean(shown, known)}`)
}

/** @throws PixpressError `INVALID_OPTION` for the first key that is not known */
export function refuseUnknownKeys(path: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined) throw unknownKey(path, unknown, known)
}

/** The candidate nearest to what was written, or `undefined` when none is near enough to be what was meant. */
export function nearest(written: string, candidates: readonly string[]): string | undefined {
  if (written.length > LONGEST_WORD) return undefined
  const wanted = written.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 2.5)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `Did you mean 'x'?`, or the whole list when nothing is near. */
export function didYouMean(written: string, candidates: readonly string[]): string {
  const near = nearest(written, candidates)
  return near === undefined ? `Known: ${candidates.join(', ')}.` : `Did you mean '${near}'?`
}

/** Computes the optimal string alignment: Levenshtein's distance in which swapping two neighbours costs one. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, substitution)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforePrevious[j - 2]! + 1)
      }
      current.push(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length]!
}
