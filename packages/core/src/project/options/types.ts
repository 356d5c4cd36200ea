import { text } from '../../options/parsers.ts'
import type { ProjectOption } from './option.ts'

interface TypesOption {
  /** File, relative to the root, in which the types of all image imports with queries are kept. Default: none. */
  types?: string
}

/** The row of `types`. */
export const types: ProjectOption<TypesOption> = {
  place: 150,
  parser: text('a path'),
  shownDefault: 'none',
  doc: "[exact types](types.md) of every image import with a query are kept in this file: `'src/pixpress.d.ts'`",
}
