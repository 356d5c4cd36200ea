import path from 'node:path'
import {
  compareReports,
  endLine,
  renderChanges,
  renderReport,
  tableStyle,
  writeReportPage,
} from '@pixpress/core/report'
import type { Report } from '@pixpress/core/report'
import { describeFlags, parseFlags, UsageError } from '@pixpress/core/internal'
import type { Flags } from '@pixpress/core/internal'
import type { Surroundings } from '../base/output.ts'
import { EXIT } from '../base/exit.ts'
import { isObject, noReport, readReportFile } from '../base/report-file.ts'

/** Flags of `pixpress report`. */
export const REPORT_FLAGS: Flags = {
  full: { description: 'every image, however many there are, and why it is no smaller' },
  html: { value: 'FILE', description: 'writes [a page](report.md#as-a-page) instead of printing a table' },
  root: { value: 'DIR', description: "the folder that the report's paths are relative to (default: the current one)" },
  help: { short: 'h', description: 'this text' },
}

const HELP = `Prints the report that a build has written as JSON ('report: { json }' of the plugin, '--json' of the command), or makes a
page of it. With two reports, it prints what has changed from the older one to the newer one.

  pixpress report FILE [options]
  pixpress report OLDER NEWER [options]

${describeFlags(REPORT_FLAGS)}
`

/**
 * Runs `pixpress report FILE` and `pixpress report OLDER NEWER`.
 * @throws UsageError when a file is not there or is no report; PixpressError `IO_FAILED` when the page cannot be
 * written
 */
export async function report(args: readonly string[], { cwd, env, stdout }: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, REPORT_FLAGS)
  if (flags['help'] === true) {
    stdout.write(HELP)
    return EXIT.ok
  }
  if (positionals.length === 0 || positionals.length > 2) {
    throw new UsageError('Expected one report, or two to compare: pixpress report FILE, pixpress report OLDER NEWER.')
  }
  const [first, second] = await Promise.all(positionals.map((file) => readReport(path.resolve(cwd, file), file)))
  const data = (second ?? first)!
  const older = second === undefined ? undefined : first
  const { html, root = '' } = flags
  if (html !== undefined) {
    await writeReportPage(path.resolve(cwd, String(html)), data, path.resolve(cwd, String(root)), older)
    return EXIT.ok
  }
  const style = tableStyle(stdout, env)
  const shown = { ...style, full: style.full || flags['full'] === true, fullBy: '--full' }
  const text = older === undefined ? renderReport(data, shown) : renderChanges(compareReports(older, data), shown)
  stdout.write(text === '' ? 'pixpress  no images\n' : `${text}\n`)
  // A list of changes ends with all images.
  const end = older === undefined ? endLine(data, shown) : ''
  if (end !== '') stdout.write(`${end}\n`)
  return EXIT.ok
}

async function readReport(file: string, shown: string): Promise<Report> {
  const { failures, totals, ...others } = await readReportFile(file, shown)
  if (!Array.isArray(failures) || !isObject(totals)) throw noReport(shown)
  return { ...others, failures, totals } as unknown as Report
}
