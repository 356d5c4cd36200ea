import { invalidOption } from '../base/errors.ts'

/**
 * The mode of a cache. `readwrite`: results go into the folder and to the remote. `read`: the remote, or without one
 * the folder, is only read. `frozen`: read only as well, and nothing is encoded: a missing result is an error.
 */
export type CacheMode = 'readwrite' | 'read' | 'frozen'

/** All modes. */
export const CACHE_MODES: readonly CacheMode[] = ['readwrite', 'read', 'frozen']

/** The variable that freezes the cache whatever the option says. */
export const FROZEN_VARIABLE = 'PIXPRESS_FROZEN'

/**
 * Returns the mode of a project's cache.
 * @throws PixpressError `INVALID_OPTION` for a value of the variable that is neither `1` nor `0`
 */
export function cacheModeOf(
  { mode, remote }: { readonly mode?: CacheMode | undefined; readonly remote?: object | undefined },
  env: Readonly<Record<string, string | undefined>>,
): CacheMode {
  const asked = env[FROZEN_VARIABLE] ?? ''
  if (!['', '0', '1'].includes(asked)) throw invalidOption(FROZEN_VARIABLE, "'1' or '0'", asked)
  if (asked === '1') return 'frozen'
  return mode ?? (remote === undefined ? 'readwrite' : 'read')
}
