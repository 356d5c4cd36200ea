import { text } from '../../options/parsers.ts'
import type { ProjectOption } from './option.ts'

/** The row of `publicPath`. */
export const publicPath: ProjectOption<object, string> = {
  place: 270,
  parser: text('a URL or a path'),
  shownDefault: 'none',
  doc: 'what stands before the names of images, for formats that have no `import.meta`',
  bundlers: ['rollup', 'rolldown'],
}
