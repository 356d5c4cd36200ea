import type { ImageType } from '@pixpress/core'
import { factsOf } from '@pixpress/core/internal'
import { partialReaders, standingIn } from './browsers.ts'
import type { Browser } from './browsers.ts'

/** Browsers that a sentence names; a browserslist may resolve to dozens. */
const MOST_NAMED = 4

/**
 * Gives what keeps images that have one URL alone from a new type, and the line that changes it: said once in a build.
 * @param types the best first
 * @param targets of the bundler, as it has them, where there is no browserslist
 * @returns `undefined` where nothing is known of browsers, or all of them read all types
 */
export function standingSentence(
  types: readonly ImageType[],
  browsers: readonly Browser[],
  targets: readonly string[] | undefined,
): string | undefined {
  const standing = standingIn(types, browsers, targets)
  if (standing === undefined) return undefined
  const { type, browsers: against, line } = standing
  const rest = against.length - MOST_NAMED
  const named = against.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  const where = targets === undefined ? 'the browserslist' : "'build.target'"
  const next =
    targets === undefined ? `To leave those out, add to it: ${line}` : `To change it: build: { target: ${line} }`
  const partial = targets === undefined ? [] : types.flatMap((each) => partialReaders(each, browsers))
  const inPart = partial.length === 0 ? '' : ` It counts that ${partial.join(' and ')}.`
  return `No image that stands alone in a script becomes ${factsOf(type).label}, as ${where} names ${named}. ${next}.${inPart}`
}
