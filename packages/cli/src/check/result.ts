import type { ReportFailure } from '@pixpress/core/report'
import { amountOf } from '../base/output.ts'
import type { Finding } from './findings.ts'
import type { ImageList } from './image-table.ts'
import type { Standing } from './standings.ts'

/** The outcome of a run of `pixpress check`. */
export interface CheckResult {
  /** In the order of `inOrder`. */
  readonly findings: readonly Finding[]
  /** The whole selection, by `source`. */
  readonly images: ImageList
  /** Images that were checked, by `source`: all, or those that have changed. */
  readonly checked: ImageList
  /** Files that could not be checked although they may be whole. */
  readonly failures: readonly ReportFailure[]
  /** How the limits of budgets stand that the checked images concern. */
  readonly budgets?: readonly Standing[]
  /** Bytes that builds shipped of images before they changed since a commit, by `source`. Absent if nobody asked. */
  readonly before?: ReadonlyMap<string, number>
}

/** Sums a result up in one line. */
export function summaryOf({ checked, findings, failures }: CheckResult): string {
  if (checked.length + findings.length + failures.length === 0) return 'no images to check'
  const unchecked = failures.length === 0 ? '' : `, ${failures.length} could not be`
  const found = findings.length === 0 ? 'nothing found' : amountOf(findings.length, 'finding')
  return `${amountOf(checked.length, 'image')} checked${unchecked}, ${found}`
}
