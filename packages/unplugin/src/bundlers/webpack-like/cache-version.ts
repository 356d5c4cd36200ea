import type { CompilerOptionsLike } from './compiler.ts'

interface PersistentCache {
  type?: string
  version?: string
}

/** The bundler's own cache on the disk, where it has one: webpack's `filesystem`, Rspack's `persistent`. */
function persistentCache({ cache, experiments }: CompilerOptionsLike): PersistentCache | undefined {
  return [cache, experiments?.cache].find((each): each is PersistentCache => {
    const type = typeof each === 'object' && each !== null ? (each as PersistentCache).type : undefined
    return type === 'filesystem' || type === 'persistent'
  })
}

/** Returns `true` if the bundler keeps a cache on the disk. */
export function hasPersistentCache(options: CompilerOptionsLike): boolean {
  return persistentCache(options) !== undefined
}

/**
 * Adds to the version of the bundler's cache. Loader requests are not enough: a stylesheet, say, that was extracted
 * with other options would be taken from the cache with the images it had.
 */
export function extendCacheVersion(options: CompilerOptionsLike, addition: string): void {
  const cache = persistentCache(options)
  if (cache !== undefined) cache.version = `${cache.version ?? ''}|pixpress:${addition}`
}

/** Leaves the bundler's cache on the disk out of this build. */
export function keepCacheInMemory(options: CompilerOptionsLike): void {
  const cache = persistentCache(options)
  if (cache === undefined) return
  if (options.cache === cache) options.cache = { type: 'memory' }
  else if (options.experiments !== undefined) options.experiments.cache = { type: 'memory' }
}
