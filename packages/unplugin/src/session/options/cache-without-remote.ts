import type { Options } from './options.ts'

/**
 * The option `cache` for another process that gets it as a file or as code, which credentials and signing keys must not
 * be in. A frozen cache stays frozen.
 */
export function cacheWithoutRemote(cache: Options['cache']): Options['cache'] {
  if (typeof cache !== 'object') return cache
  const { remote, mode, ...folder } = cache
  // Without its remote, `read` would stand for a folder that is not written.
  return { ...folder, ...(mode !== undefined && (mode === 'frozen' || remote === undefined) && { mode }) }
}
