import { object } from '../../options/parsers.ts'
import type { DefaultedOption } from './option.ts'

interface OutputsOption {
  /**
   * Outputs of the project's own, `as=name`: functions of the images that give what the module exports. Default: none.
   */
  outputs?: Readonly<Record<string, unknown>>
}

/** The row of `outputs`. */
export const outputs: DefaultedOption<OutputsOption> = {
  place: 110,
  parser: object(),
  default: () => ({}),
  shownDefault: '`{}`',
  doc: "[outputs of the project's own](directives.md#outputs-of-your-own) for `as=name`: `{ name: (images, keys) => value }`",
}
