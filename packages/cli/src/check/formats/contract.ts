import type { ReportFailure } from '@pixpress/core/report'
import type { ImageList } from '../image-table.ts'
import type { Finding } from '../findings.ts'

/** All that a run of `pixpress check` has to tell. */
export interface CheckResult {
  /** In the order of `inOrder`. */
  readonly findings: readonly Finding[]
  /** The whole selection, by `source`. */
  readonly images: ImageList
  /** Images that were looked at: all, or those that have changed. By `source`. */
  readonly checked: ImageList
  /** Files that could not be checked although they may be whole. */
  readonly failures: readonly ReportFailure[]
  /** Bytes that builds shipped before of images that have changed since a commit, by `source`. Absent: nobody asked. */
  readonly before?: ReadonlyMap<string, number>
}

export interface FormatSettings {
  /** Whether colours are shown. */
  readonly color: boolean
  /** Whether each image that stays as it is has a line of its own. */
  readonly verbose: boolean
  /** The path of an image for programs that look it up in the repository: relative to its top, else to the root. */
  readonly repositoryPath: (source: string) => string
  /** The command's own version. */
  readonly version: string
  /** The command that compresses what was checked. */
  readonly compress: string
}

/** Shows a result, in pieces of one text that ends with a line break: what lists all images takes no memory for all of them. */
export type Format = (result: CheckResult, settings: FormatSettings) => Iterable<string>

/** `4 images`, `1 finding`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What there is to say in one line. */
export function summaryOf({ checked, findings, failures }: CheckResult): string {
  if (checked.length + findings.length + failures.length === 0) return 'no images to check'
  const unchecked = failures.length === 0 ? '' : `, ${failures.length} could not be`
  const found = findings.length === 0 ? 'nothing found' : counted(findings.length, 'finding')
  return `${counted(checked.length, 'image')} checked${unchecked}, ${found}`
}
