import { oneOf } from '../../options/parsers.ts'
import type { ProjectOption } from './option.ts'

interface CompatOption {
  /**
   * `imagetools`: a number as `quality` and `effort` of a query are the encoder's settings instead of the score to keep
   * and time for it, crops keep the centre, and sharp's kernel scales. Default `false`.
   */
  compat?: 'imagetools' | false
}

/** The row of `compat`. */
export const compat: ProjectOption<CompatOption> = {
  place: 130,
  parser: {
    schema: { enum: ['imagetools', false] },
    parse: (value, option) => (value === false ? value : oneOf(['imagetools']).parse(value, option)),
  },
  shownDefault: '`false`',
  doc: "`'imagetools'`: in queries, a number as `quality` is the encoder's setting, `effort` its effort, and sizes, crops and lost transparency are [as in imagetools](migrating-from-vite-imagetools.md); without it `quality=80` is the score to keep, also beside `effort` and `progressive`",
}
