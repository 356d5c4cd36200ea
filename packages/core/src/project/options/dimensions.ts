import { FLAG } from '../../options/parsers.ts'
import type { DefaultedOption } from './option.ts'

interface DimensionsOption {
  /**
   * Where images are offered in several types, pages say the proportions of an `<img>` that does not say its width
   * and height, so that nothing moves when it arrives. Default `true`.
   */
  dimensions?: boolean
}

/** The row of `dimensions`. */
export const dimensions: DefaultedOption<DimensionsOption> = {
  place: 80,
  parser: FLAG,
  default: () => true,
  shownDefault: '`true`',
  doc: 'pages that offer several types say [the proportions](convert.md#proportions) of an `<img>` without `width` and `height`, so that nothing moves when it arrives',
}
