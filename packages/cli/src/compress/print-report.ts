import type { Optimizer, PixpressError } from '@pixpress/core'
import {
  endLine,
  firstBuildHint,
  renderProfile,
  renderReport,
  tableStyle,
  visibleText,
  wantsProfile,
  writeReportPage,
} from '@pixpress/core/report'
import type { Report } from '@pixpress/core/report'
import type { Surroundings } from '../base/output.ts'
import { shownPath } from './batch.ts'
import { addressLines } from './outcome-line.ts'
import type { CompressSettings } from './settings.ts'
import { shardLine } from './shard.ts'

/** Lines that follow the report, in this order. */
export interface ReportNotes {
  /** Notes for standard error. */
  readonly notes: readonly (string | undefined)[]
  /** A line about the originals that are kept. */
  readonly kept: string | undefined
}

/**
 * Prints a report and what belongs to it, and writes its page.
 * @param own inputs of this run
 * @param tell prints a line on standard error
 */
export async function printRun(
  report: Report,
  own: number,
  { notes, kept }: ReportNotes,
  run: {
    readonly settings: CompressSettings
    readonly workers: { readonly optimizer: Optimizer }
    readonly around: Surroundings
    readonly tell: (message: string) => void
  },
): Promise<void> {
  const { settings, workers, around, tell } = run
  const end = printReport(report, own, settings, around)
  for (const note of notes) if (note !== undefined) tell(note)
  if (kept !== undefined && !settings.quiet && !settings.json) around.stdout.write(`${kept}\n`)
  tellMissing(workers.optimizer, around)
  if (settings.html !== undefined) await writeReportPage(settings.html, report, around.cwd)
  if (end !== undefined) around.stdout.write(end)
  // Standard output may be JSON, so the profile goes to standard error.
  if (wantsProfile(around.env)) around.stderr.write(`${renderProfile(report)}\n`)
}

/** @returns the last line; `undefined` if none is wanted, or if all of it was printed already */
function printReport(
  report: Report,
  own: number,
  { json, quiet, dryRun, cache, verbose, isFull }: CompressSettings,
  around: Surroundings,
): string | undefined {
  const { stdout, stderr, env } = around
  if (json) {
    stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    return undefined
  }
  // Results that a frozen cache lacks are listed together afterwards.
  const failures = report.failures.filter(({ code }) => code !== 'NOT_CACHED')
  if (quiet) {
    for (const { source, message } of failures) stderr.write(`pixpress: ${visibleText(`${source}: ${message}`)}\n`)
    return undefined
  }
  const cacheFolder = cache === false ? undefined : shownPath(around.cwd, cache.dir)
  const style = { ...tableStyle(stdout, env), fullBy: '--report full' }
  const shown = { ...style, full: style.full || isFull || verbose }
  const text = renderReport({ ...report, failures }, shown, firstBuildHint(report.totals, cacheFolder))
  stdout.write(text === '' ? 'pixpress  no images\n' : `${text}\n`)
  stdout.write(addressLines(report))
  if (report.shard !== undefined) stdout.write(`${shardLine(report.shard, own, report.shard.of)}\n`)
  if (dryRun) stdout.write('Nothing was written: --dry-run.\n')
  const end = endLine(report, shown)
  return end === '' ? undefined : `${end}\n`
}

/** Names every result that a frozen cache lacks, as a terminal shows only some rows of the table. */
function tellMissing(optimizer: Optimizer, { stderr }: Surroundings): void {
  try {
    optimizer.assertComplete()
  } catch (error) {
    // Its lines are harmless, each by itself.
    stderr.write(`pixpress: ${(error as PixpressError).message}\n`)
  }
}
