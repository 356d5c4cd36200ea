import { compare } from '@pixpress/core/report'
import { shownPath } from './batch.ts'
import type { SkipReason, Skipped } from './walk.ts'

/** Reasons why places were skipped, for people. */
const REASONS: Readonly<Record<SkipReason, string>> = {
  ignored: 'Git ignores it',
  output: 'a build has written it',
}

/** Places that are named. */
const NAMED = 3

/**
 * Returns one line about skipped places: `passed over photos (Git ignores it) and dist (a build has written it): name a
 * folder to take it.`, or `undefined` if there are none.
 * @param cwd folder that the names are relative to
 */
export function skippedLine(skipped: readonly Skipped[], cwd: string): string | undefined {
  if (skipped.length === 0) return undefined
  const unique = [...new Map(skipped.map((each) => [each.place, each])).values()].sort((a, b) =>
    compare(a.place, b.place),
  )
  const named = unique.slice(0, NAMED).map(({ place, reason }) => `${shownPath(cwd, place)} (${REASONS[reason]})`)
  const more = unique.length > NAMED ? [`${unique.length - NAMED} more`] : []
  const list = new Intl.ListFormat('en-GB').format([...named, ...more])
  return `passed over ${list}: what is named is taken.`
}
