import type { FilterPattern } from '../../files/path-patterns.ts'
import { PATTERNS } from '../patterns.ts'
import type { ProjectOption } from './option.ts'

interface ExcludeOption {
  /** Images to leave alone. */
  exclude?: FilterPattern
}

/** The row of `exclude`. */
export const exclude: ProjectOption<ExcludeOption> = {
  place: 50,
  parser: PATTERNS,
  shownDefault: 'none',
  doc: 'images to leave alone',
}
