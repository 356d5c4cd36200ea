import type { ReportTotals } from './json.ts'

/** Milliseconds of a first build that is short enough to need no hint. */
const NOTICED = 5000

/**
 * Tells a person who has waited for a first build that the next one is fast. Returns `undefined` if the build was
 * short, if it took something from the cache, or if no results are kept.
 * @param folder the folder of the cache, as it is to be shown; `undefined` if no results are kept
 */
export function firstBuildHint(
  { encoded, cached, milliseconds }: ReportTotals,
  folder: string | undefined,
): string | undefined {
  if (folder === undefined || encoded === 0 || cached > 0 || milliseconds <= NOTICED) return undefined
  return `The next run takes a moment: the results are kept in ${folder}. In CI, keep this folder from run to run.`
}
