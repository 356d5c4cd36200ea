import { oneOf } from '../../options/parsers.ts'
import type { ProjectOption } from './option.ts'

/** The places that offer converted images. */
export type Fallback = 'auto' | 'picture' | false

interface FallbackOption {
  /**
   * Offers the source's own type where not every browser may read the new types. `auto`: pages and stylesheets offer
   * the new types beside the image's own type, and scripts get the one that all browsers of the project read, if there
   * is one. `picture`: pages and stylesheets alone. `false`: the new type alone, everywhere. Default: `auto` with
   * `convert: 'auto'`, else `false`.
   */
  fallback?: Fallback
}

const OFFERED = oneOf(['auto', 'picture'])

/** The row of `fallback`. */
export const fallback: ProjectOption<FallbackOption> = {
  place: 20,
  parser: {
    schema: { enum: ['auto', 'picture', false] },
    parse: (value, option) => (value === false ? false : OFFERED.parse(value, option)),
  },
  shownDefault: "`'auto'` with `convert: 'auto'`, else `false`",
  doc: "[how converted images are offered](convert.md): `'auto'`, `'picture'` (pages and stylesheets alone), or `false`: the new type alone, everywhere",
}
