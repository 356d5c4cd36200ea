import { invalidOption } from '../../base/errors.ts'
import type { ProjectOption } from './option.ts'

interface DefaultDirectivesOption {
  /**
   * Directives of imports that say none of the same name: an object, `URLSearchParams`, or a function of the URL and of
   * what the image's header says. Default: none.
   */
  defaultDirectives?: object
}

/** The row of `defaultDirectives`. */
export const defaultDirectives: ProjectOption<DefaultDirectivesOption> = {
  place: 100,
  parser: {
    schema: { type: 'object' },
    parse(value, option) {
      if (typeof value === 'function' || (typeof value === 'object' && value !== null)) return value
      throw invalidOption(option, 'an object, URLSearchParams or a function', value)
    },
  },
  shownDefault: 'none',
  doc: '[directives](directives.md#defaults) of imports that say none of the same name, also without a query: an object, `URLSearchParams`, or a function `(url, metadata)`',
}
