import { FLAG } from '../../options/parsers.ts'
import type { DefaultedOption } from './option.ts'

interface PublicDirOption {
  /**
   * Compresses images that the bundler copies as they are (`public/`), in the output folder, in their own type. Default
   * `true`.
   */
  publicDir?: boolean
}

/** The row of `publicDir`. */
export const publicDir: DefaultedOption<PublicDirOption> = {
  place: 160,
  parser: FLAG,
  default: () => true,
  shownDefault: '`true`',
  doc: 'compresses copied files (`public/`) in the output folder, in their own type',
}
