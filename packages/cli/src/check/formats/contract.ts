import type { CheckResult } from '../result.ts'

/** How a result is shown. */
export interface FormatSettings {
  /** True if colours are shown. */
  readonly color: boolean
  /** True if each image that stays as it is has a line of its own. */
  readonly verbose: boolean
  /** The path of an image for programs that look it up in the repository: relative to its top, else to the root. */
  readonly repositoryPath: (source: string) => string
  /** The command's own version. */
  readonly version: string
  /** The command that compresses what was checked. */
  readonly compress: string
}

/**
 * Shows a result, in pieces of one text that ends with a line break: a list of all images takes no memory for all of
 * them.
 */
export type Format = (result: CheckResult, settings: FormatSettings) => Iterable<string>
