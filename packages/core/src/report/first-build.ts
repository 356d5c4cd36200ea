import type { ReportTotals } from './json.ts'

/** Milliseconds below which nobody asks what the next build will take. */
const NOTICED = 5000

/**
 * What whoever has just waited for a first build wants to know: one plain sentence or two, `undefined` where it was short or took
 * something from the cache.
 * @param folder where the results are kept, as it is to be shown; `undefined` where they are not
 */
export function firstBuildHint(
  { encoded, cached, milliseconds }: ReportTotals,
  folder: string | undefined,
): string | undefined {
  if (folder === undefined || encoded === 0 || cached > 0 || milliseconds <= NOTICED) return undefined
  return `The next run takes a moment: the results are kept in ${folder}. In CI, keep this folder from run to run.`
}
