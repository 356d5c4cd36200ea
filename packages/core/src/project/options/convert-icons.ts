import { FLAG } from '../../options/parsers.ts'
import type { DefaultedOption } from './option.ts'

interface ConvertIconsOption {
  /**
   * Converts icons (`<link rel="icon">`) and social cards (`og:image`, `twitter:image`) as well. Default `false`, as
   * older readers know only the old types.
   */
  convertIcons?: boolean
}

/** The row of `convertIcons`. */
export const convertIcons: DefaultedOption<ConvertIconsOption> = {
  place: 70,
  parser: FLAG,
  default: () => false,
  shownDefault: '`false`',
  doc: 'converts icons and social cards (`og:image`, `twitter:image`) as well',
}
