import type { FileCacheOptions } from '../file-store.ts'
import { createFileCache } from '../file-store.ts'
import { createMemoryCache } from '../memory-store.ts'
import type { CacheMode } from '../mode.ts'
import type { ResolvedCacheRemote } from '../remote/options.ts'
import type { CacheStore } from '../store.ts'

/** Options of a cache with any of its parts. */
export interface OpenCacheOptions extends FileCacheOptions {
  readonly remote?: ResolvedCacheRemote | undefined
  /** Default `readwrite`. */
  readonly mode?: CacheMode | undefined
}

/** Opens the cache of a project: a folder, and what stands behind it. */
export function openCache({ remote, mode = 'readwrite', ...options }: OpenCacheOptions): CacheStore {
  const folder = createFileCache(options)
  if (remote === undefined && mode === 'readwrite') return folder
  const { onWarning = () => undefined } = options
  let opened: Promise<CacheStore> | undefined
  // The code is loaded with the first request: most builds have a folder and nothing else.
  const open = (): Promise<CacheStore> =>
    (opened ??= import('./layered-store.ts').then(({ createLayeredCache }) =>
      createLayeredCache({ folder, remote, mode, onWarning }),
    ))
  return {
    frozen: mode === 'frozen',
    get: async (key) => (await open()).get(key),
    set: async (key, entry) => (await open()).set(key, entry),
    close: async () => (await opened)?.close?.(),
  }
}

/** Opens a cache for one run. @param mode `frozen`: nothing can be made at all */
export function openRunCache(mode: CacheMode): CacheStore {
  const memory = createMemoryCache()
  if (mode !== 'frozen') return memory
  return { frozen: true, get: (key) => memory.get(key), set: (key, entry) => memory.set(key, entry) }
}
