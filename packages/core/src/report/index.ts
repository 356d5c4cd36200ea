/**
 * What a run did to its images: as data (json.ts), as a table for a person (table.ts), and as a line that moves while the work
 * is going on (progress.ts). The plugin and the command share it.
 */
export { firstBuildHint } from './first-build.ts'
export { compare, createReport, reportImage, writeReport } from './json.ts'
export type { Conversion, Report, ReportFailure, ReportImage, ReportTotals } from './json.ts'
export type { RemoteKeyUsage, RemoteUsage } from '../engines/remote/usage.ts'
export type { StoreUsage } from '../stores/contract.ts'
export { createProgress } from './progress.ts'
export type { Progress, ProgressSettings, ProgressStream, ProgressTotal } from './progress.ts'
export { renderProfile, wantsProfile } from './profile.ts'
export { renderReport } from './table.ts'
export { isInteractive, lineWidth, tableStyle } from './terminal.ts'
export type { Environment, OutputStream, TableStyle } from './terminal.ts'
export { formatBytes, formatChange, formatDuration } from './units.ts'
export { visibleText } from './visible-text.ts'
