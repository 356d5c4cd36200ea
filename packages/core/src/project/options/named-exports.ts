import { FLAG } from '../../options/parsers.ts'
import type { DefaultedOption } from './option.ts'

interface NamedExportsOption {
  /** Modules export the members of objects by their names too. Default `true`. */
  namedExports?: boolean
}

/** The row of `namedExports`. */
export const namedExports: DefaultedOption<NamedExportsOption> = {
  place: 120,
  parser: FLAG,
  default: () => true,
  shownDefault: '`true`',
  doc: 'modules of objects export their members by name too, beside the default export',
}
