import { oneOf } from '../../options/parsers.ts'
import { PLACEHOLDER_KINDS } from '../../placeholder/kinds.ts'
import type { PlaceholderKind } from '../../placeholder/kinds.ts'
import type { ProjectOption } from './option.ts'

interface LqipOption {
  /** The placeholder of imports as `img` and `picture`, shown until the image is there. Default: none. */
  lqip?: PlaceholderKind
}

/** The row of `lqip`. */
export const lqip: ProjectOption<LqipOption> = {
  place: 140,
  parser: oneOf(PLACEHOLDER_KINDS),
  shownDefault: 'none',
  doc: '[a placeholder](placeholders.md) in imports with `as=img` and `as=picture`: `thumbhash`, `blurhash`, `blur` or `color`',
}
