import { FLAG, text } from '../../options/parsers.ts'
import type { ProjectOption } from './option.ts'

interface LockOption {
  /**
   * The file that says which result each image has: `true` keeps `pixpress.lock` in the project's folder, a path
   * another file, relative to the root. `false`: none. Default: `pixpress.lock` is kept up to date where it is there.
   */
  lock?: boolean | string
}

const PATH = text('true, false or a path')

/** The row of `lock`. */
export const lock: ProjectOption<LockOption> = {
  place: 190,
  parser: {
    schema: { anyOf: [FLAG.schema, PATH.schema] },
    parse: (value, option) => (typeof value === 'boolean' ? value : PATH.parse(value, option)),
  },
  shownDefault: '`pixpress.lock`, where it is there',
  doc: "[which result each image has](lock.md): `true` keeps `pixpress.lock` in the project's folder, a path another file; `false`: none",
}
