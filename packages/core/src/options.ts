import { availableCpus, availableMemory } from './concurrency/cpus.ts'
import { PixpressError, invalidOption } from './errors.ts'
import { didYouMean } from './suggest.ts'
import type { CacheStore } from './cache/store.ts'
import type { ImageEngine } from './engines/image-engine.ts'

/** Bounds checked before anything is decoded. */
export interface Limits {
  /** Bytes of one input. Default 100 MiB. */
  maxBytes?: number
  /** Pixels of one input, all frames together. Default 100 million. */
  maxPixels?: number
  /** Frames of one animation. Default 256. */
  maxFrames?: number
  /** Milliseconds one image may take, waiting not included. Default 120,000. */
  timeout?: number
}

export interface FileCacheSettings {
  /** Folder of the cache. */
  dir: string
  /** Bytes the cache may hold; the least recently used entries go first. Default 1 GiB. */
  maxSize?: number
}

export interface OptimizerOptions {
  /** Who works on images. Default: threads of this machine, which also take what the given engine does not. */
  engine?: ImageEngine
  /** Where results are kept: a folder, or any store of the `CacheStore` interface. Default `false`. */
  cache?: false | FileCacheSettings | CacheStore
  /** Images worked on at once. Default: the processors that this process may use. */
  concurrency?: number
  /** Bytes that images in work may take together; an image that needs more is worked on alone. Default: a quarter of the available memory, at most 768 MiB. */
  memory?: number
  limits?: Limits
  /**
   * Also notes in the cache that a result is finished, so that it is left alone when it comes back as an input with the same
   * operations: for tools that replace files in place. Default `false`.
   */
  rememberResults?: boolean
  /** Called with one plain sentence when something is wrong that does not stop the work (a read-only cache folder, say). */
  onWarning?: (message: string) => void
}

export interface ResolvedOptimizerOptions {
  readonly engine: ImageEngine | undefined
  readonly cache: false | FileCacheSettings | CacheStore
  readonly concurrency: number
  readonly memory: number
  readonly limits: Readonly<Required<Limits>>
  readonly rememberResults: boolean
  readonly onWarning: (message: string) => void
}

const MIB = 1024 * 1024

export const DEFAULT_LIMITS: Readonly<Required<Limits>> = {
  maxBytes: 100 * MIB,
  maxPixels: 100_000_000,
  maxFrames: 256,
  timeout: 120_000,
}

/** @throws PixpressError `INVALID_OPTION` */
export function resolveOptions(options: OptimizerOptions = {}): ResolvedOptimizerOptions {
  const known = [
    'engine',
    'cache',
    'concurrency',
    'memory',
    'limits',
    'rememberResults',
    'onWarning',
  ] satisfies (keyof OptimizerOptions)[]
  refuseUnknown('', options, known)
  refuseUnknown('limits.', options.limits ?? {}, Object.keys(DEFAULT_LIMITS))
  const limits = { ...DEFAULT_LIMITS, ...withoutUndefined(options.limits ?? {}) }
  for (const [name, value] of Object.entries(limits)) atLeastOne(`limits.${name}`, value)
  const cache = options.cache ?? false
  if (cache !== false && !('get' in cache)) {
    refuseUnknown('cache.', cache, ['dir', 'maxSize'])
    if (typeof cache.dir !== 'string' || cache.dir === '') throw invalidOption('cache.dir', 'a folder', cache.dir)
    if (cache.maxSize !== undefined) atLeastOne('cache.maxSize', cache.maxSize)
  }
  if (options.engine !== undefined && typeof options.engine?.run !== 'function') {
    throw invalidOption('engine', 'an engine, such as createRemoteEngine makes', options.engine)
  }
  const concurrency = options.concurrency ?? availableCpus()
  atLeastOne('concurrency', concurrency)
  const memory = options.memory ?? Math.min(768 * MIB, Math.floor(availableMemory() / 4))
  atLeastOne('memory', memory)
  return {
    engine: options.engine,
    cache,
    concurrency,
    memory,
    limits,
    rememberResults: options.rememberResults ?? false,
    onWarning: options.onWarning ?? ((message) => process.emitWarning(message, 'PixpressWarning')),
  }
}

function refuseUnknown(prefix: string, value: object, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null)
    throw invalidOption(prefix.slice(0, -1) || 'options', 'an object', value)
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      throw new PixpressError('INVALID_OPTION', `Unknown option '${prefix}${key}'. ${didYouMean(key, known)}`)
  }
}

function atLeastOne(option: string, value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw invalidOption(option, 'a whole number of at least 1', value)
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
