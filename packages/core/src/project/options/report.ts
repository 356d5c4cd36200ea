import { FLAG, flagOr, record, text } from '../../options/parsers.ts'
import type { DefaultedOption } from './option.ts'

interface ReportOption {
  /**
   * A table at the end of every build. `{ json }` also writes it as data to that file, `{ html }` as a page; both are
   * relative to the root. `{ baseline: true }` also makes each image as the framework itself would have, and compares:
   * that takes time, once. Default `true`.
   */
  report?: boolean | { json?: string; html?: string; baseline?: boolean }
}

/** The row of `report`. */
export const report: DefaultedOption<ReportOption> = {
  place: 200,
  parser: flagOr(
    record<{ json?: string; html?: string; baseline?: boolean }>({
      json: text('a path'),
      html: text('a path'),
      baseline: FLAG,
    }),
  ),
  default: () => true,
  shownDefault: '`true`',
  doc: "the table at the end of a build; `{ json: 'file' }` also writes [data](report.md), `{ html: 'file' }` [a page](report.md#as-a-page), `{ baseline: true }` compares with [what would have been shipped without it](report.md#compared-with-what-would-have-been-shipped)",
  flags: { html: { value: 'FILE', description: 'also writes the report as [a page](report.md#as-a-page)' } },
}
