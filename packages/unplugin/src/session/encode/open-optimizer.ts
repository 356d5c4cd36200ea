import { createOptimizer } from '@pixpress/core'
import type { ImageEngine, Optimizer } from '@pixpress/core'
import { openCache, openRunCache } from '@pixpress/core/internal'
import type { ResolvedOptions } from '../options/options.ts'

/**
 * The engine of a session's builds, over the cache that the options want.
 * @param engine who works instead of this machine
 * @param onWarning told in one sentence what is wrong with the work as a whole
 */
export function openOptimizer(
  options: ResolvedOptions,
  engine: ImageEngine | undefined,
  onWarning: (message: string) => void,
): Optimizer {
  const { persistent, cacheDir, workDir, cache, concurrency, limits } = options
  return createOptimizer({
    ...(engine !== undefined && { engine }),
    cache: persistent
      ? openCache({
          dir: cacheDir,
          ...cache,
          gitIgnored: cacheDir === workDir ? 'others' : true,
          strict: true,
          onWarning,
        })
      : openRunCache(cache.mode),
    ...(concurrency !== undefined && { concurrency }),
    limits,
    ownProcess: true,
    onWarning,
  })
}
