/**
 * Reports what a run did to its images: as data (json.ts), as a table for a person (table.ts), and as a progress line
 * while the work is going on (progress.ts). The plugin and the command share it.
 */
import type { Report } from './json.ts'

export { budgetFigures, overAll, overEach } from './budget-figures.ts'
export type { BudgetFigures, BudgetedFile } from './budget-figures.ts'
export { baselineSentences, isLargerThanBaseline } from './baseline.ts'
export type { ReportBaseline, ReportBaselineTotals } from './baseline.ts'
export { compareReports, renderChanges } from './changes.ts'
export type { ReportChange, ReportChanges } from './changes.ts'
export { firstBuildHint } from './first-build.ts'
export { compare, createReport, reportImage, writeReport } from './json.ts'
export type {
  Report,
  ReportDrafts,
  ReportFailure,
  ReportImage,
  ReportTotals,
  ReportUntouched,
  ReportUsage,
} from './json.ts'
export type { RemoteEndpointUsage, RemoteKeyUsage, RemoteUsage } from '../engines/remote/usage.ts'
export type { StoreUsage } from '../objects/contract.ts'
export { isPhotoAsPng } from './photo-as-png.ts'
export { createProgress } from './progress.ts'
export type { Progress, ProgressSettings, ProgressStream, ProgressTotal } from './progress.ts'
export { renderProfile, wantsProfile } from './profile.ts'
export { GUARD_NAMES, WHY_NAMES, describeOther, describeTogether, describeWhy, whyOf, whyOfResult } from './why.ts'
export type { Otherwise, Why } from './why.ts'
export { describeWorth, endLine } from './end-line.ts'
export { STEPS, worthMost, worthOf } from './worth.ts'
export type { Step, Worth } from './worth.ts'
export { renderReport } from './table.ts'
export { isInteractive, lineWidth, tableStyle } from './terminal.ts'
export type { Environment, OutputStream, TableStyle } from './terminal.ts'
export { formatBytes, formatChange, formatDuration } from './units.ts'
export { visibleText } from '../base/visible-text.ts'

/**
 * Writes a report as one self-contained HTML page. The file is replaced atomically, and a missing folder is created.
 * The code that renders the page is imported on the first call, as most runs write none.
 * @param file absolute path of the page
 * @param root absolute folder that the report's paths are relative to
 * @param older a report to compare with
 * @throws PixpressError `IO_FAILED`
 */
export async function writeReportPage(file: string, report: Report, root: string, older?: Report): Promise<void> {
  const { writePage } = await import('./page.ts')
  await writePage(file, report, root, older)
}
export { HEAD_BYTES, weightOf } from './weight.ts'
