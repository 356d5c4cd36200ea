import { object } from '../../options/parsers.ts'
import type { DefaultedOption } from './option.ts'

interface PresetsOption {
  /** Named sets of directives for `?preset=name`. */
  presets?: Readonly<Record<string, object>>
}

/** The row of `presets`. */
export const presets: DefaultedOption<PresetsOption> = {
  place: 90,
  parser: object(),
  default: () => ({}),
  shownDefault: '`{}`',
  doc: 'named sets of [directives](directives.md) for `?preset=name`',
}
