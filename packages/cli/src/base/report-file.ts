import { readFile } from 'node:fs/promises'
import { UsageError } from '@pixpress/core/internal'
import { whyUnreadable } from './why-unreadable.ts'

/** The members that every JSON report of pixpress has. */
export interface ReportFile {
  readonly version: 1
  readonly images: readonly unknown[]
  readonly [key: string]: unknown
}

/**
 * @param file absolute
 * @param shown as it was given, for messages
 * @throws UsageError when it cannot be read, or is no report
 */
export async function readReportFile(file: string, shown: string): Promise<ReportFile> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw noReport(shown)
    const writers = "'report: { json }' of the plugin and '--json' of the command write reports."
    throw new UsageError(`${whyUnreadable(error, shown)} ${writers}`)
  }
  if (!isReportFile(value)) throw noReport(shown)
  return value
}

/** Makes the error for a file that is no report. */
export const noReport = (shown: string): UsageError =>
  new UsageError(`'${shown}' is no report of pixpress, or one of a newer version.`)

/** Narrows a value to an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isReportFile = (value: unknown): value is ReportFile =>
  isObject(value) && value['version'] === 1 && Array.isArray(value['images'])
