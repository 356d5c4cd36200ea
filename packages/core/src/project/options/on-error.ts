import { oneOf } from '../../options/parsers.ts'
import type { DefaultedOption } from './option.ts'

interface OnErrorOption {
  /**
   * The reaction to a damaged image: `warn` (default) names it and keeps the original, `error` fails the build. An
   * image whose time limit passes fails the build unless `warn` is given. A fault of the machine, a service or the
   * options always fails it.
   */
  onError?: 'warn' | 'error'
}

/** The row of `onError`. */
export const onError: DefaultedOption<OnErrorOption> = {
  place: 220,
  parser: oneOf(['warn', 'error']),
  default: () => 'warn',
  shownDefault: "`'warn'`",
  doc: "`'warn'` names a damaged image and keeps it as it is; `'error'` fails the build. Where nothing is given, an image that takes longer than `limits.timeout` fails it too",
}
