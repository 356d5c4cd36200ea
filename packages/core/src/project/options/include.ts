import type { FilterPattern } from '../../files/path-patterns.ts'
import { PATTERNS } from '../patterns.ts'
import type { ProjectOption } from './option.ts'

interface IncludeOption {
  /**
   * Images to work on: globs or regular expressions on the path relative to the root. Default: every image, by its
   * extension.
   */
  include?: FilterPattern
}

/** The row of `include`. */
export const include: ProjectOption<IncludeOption> = {
  place: 40,
  parser: PATTERNS,
  shownDefault: 'every image, by its extension',
  doc: 'images to work on: a glob, a RegExp (not for the command), or a list, on the path relative to the root',
}
