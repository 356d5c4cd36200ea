import { CACHE_MODES, cacheModeOf } from '../cache/mode.ts'
import type { CacheMode } from '../cache/mode.ts'
import { CACHE_REMOTE, resolveCacheRemote } from '../cache/remote/options.ts'
import type { CacheRemote, ResolvedCacheRemote } from '../cache/remote/options.ts'
import type { CacheStore } from '../cache/store.ts'
import { availableCpus, availableMemory } from '../concurrency/cpus.ts'
import type { ImageEngine } from '../engines/contract.ts'
import { invalidOption } from '../base/errors.ts'
import { DEFAULT_LIMITS } from '../base/limits.ts'
import type { Limits } from '../base/limits.ts'
import { FLAG, oneOf, plainObject, record, text, whole } from '../options/parsers.ts'
import type { Parser } from '../options/parsers.ts'
import { parseOptions } from '../options/row.ts'
import type { DefaultedRow, OptionRow } from '../options/row.ts'

/** Settings of a cache in a folder, with a remote where one is given. */
export interface FileCacheSettings {
  /** Folder of the cache. */
  dir: string
  /** Bytes the cache may hold; the least recently used entries go first. Default 1 GiB. */
  maxSize?: number
  /** Where results are shared with other machines, behind the folder. Default: nowhere. */
  remote?: CacheRemote | undefined
  /**
   * The mode of the cache. Default `readwrite`, and `read` with `remote`. The variable `PIXPRESS_FROZEN=1` makes it
   * `frozen`.
   */
  mode?: CacheMode | undefined
}

/** The settings of a cache, with all that the environment adds to them. */
export interface ResolvedCacheSettings {
  readonly dir: string
  readonly maxSize?: number
  readonly remote?: ResolvedCacheRemote
  readonly mode: CacheMode
}

/** Options of `createOptimizer`. */
export interface OptimizerOptions {
  /** Who works on images. Default: threads of this machine, which also take what the given engine does not. */
  engine?: ImageEngine
  /** Where results are kept: a folder, or any store of the `CacheStore` interface. Default `false`. */
  cache?: false | FileCacheSettings | CacheStore
  /** Images worked on at once. Default: the processors that this process may use. */
  concurrency?: number
  /**
   * Bytes that images in work may take together; an image that needs more is worked on alone. Default: a quarter of the
   * available memory, at most 512 MiB.
   */
  memory?: number
  /**
   * Runs the threads of this machine in a process of their own: the memory that codecs hold on to goes with it, and a
   * crash takes nobody along. For tools that start, work and end; each image is copied to it and back. `'sandboxed'`
   * also keeps that process from the network and the disk, where bubblewrap is installed and works: for images of
   * strangers. Default `false`.
   */
  ownProcess?: boolean | 'sandboxed'
  limits?: Limits
  /**
   * Notes in the cache that a result is finished, so that it is left alone when it comes back as an input with the same
   * operations: for tools that replace files in place. Default `false`.
   */
  rememberResults?: boolean
  /**
   * The optimizer calls it with one plain sentence about a fault that does not stop the work (a read-only cache folder,
   * say).
   */
  onWarning?: (message: string) => void
}

/** Checked options, with every default filled in. */
export interface ResolvedOptimizerOptions {
  readonly engine: ImageEngine | undefined
  readonly cache: false | ResolvedCacheSettings | CacheStore
  readonly concurrency: number
  readonly memory: number
  readonly ownProcess: boolean | 'sandboxed'
  readonly limits: Readonly<Required<Limits>>
  readonly rememberResults: boolean
  readonly onWarning: (message: string) => void
}

const MIB = 1024 * 1024

/** Bounds of one image, as they are given. */
const LIMITS: Parser<Limits> = record<Limits>({
  maxBytes: whole(1),
  maxPixels: whole(1),
  maxFrames: whole(1),
  timeout: whole(1),
})

/** A folder for results and what stands behind it, all of which may be left out. */
export const CACHE_SETTINGS: Parser<Partial<FileCacheSettings>> = record<FileCacheSettings>({
  dir: text('a folder'),
  maxSize: whole(1),
  remote: CACHE_REMOTE,
  mode: oneOf(CACHE_MODES),
})

/**
 * Adds the signing key and the mode of the environment to the settings of a cache.
 * @throws PixpressError `INVALID_OPTION` for a remote without a signing key
 */
export function resolveCacheSettings(
  { remote, mode, maxSize }: Partial<FileCacheSettings>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Omit<ResolvedCacheSettings, 'dir'> {
  return {
    ...(maxSize !== undefined && { maxSize }),
    ...(remote !== undefined && { remote: resolveCacheRemote(remote, env) }),
    mode: cacheModeOf({ mode, remote }, env),
  }
}

type OptimizerRows = {
  readonly [Key in keyof OptimizerOptions]-?: Key extends 'engine'
    ? OptionRow<NonNullable<OptimizerOptions[Key]>>
    : DefaultedRow<NonNullable<OptimizerOptions[Key]>>
}

/** The options of `createOptimizer`. */
export const OPTIMIZER_OPTIONS: OptimizerRows = {
  engine: {
    parser: {
      schema: {},
      parse(value, option) {
        if (typeof (value as ImageEngine | null)?.run === 'function') return value as ImageEngine
        throw invalidOption(option, 'an engine, such as createRemoteEngine makes', value)
      },
    },
    shownDefault: "this machine's threads",
    doc: 'who works on images',
  },
  cache: {
    parser: { schema: {}, parse: parseCache },
    default: () => false,
    shownDefault: '`false`',
    doc: '`{ dir, maxSize, remote, mode }`, or any store of the `CacheStore` interface',
  },
  concurrency: {
    parser: whole(1),
    default: availableCpus,
    shownDefault: 'the processors this process may use',
    doc: 'images worked on at once',
  },
  memory: {
    parser: whole(1),
    default: () => Math.min(512 * MIB, Math.floor(availableMemory() / 4)),
    shownDefault: 'a quarter of the available memory, at most 512 MiB',
    doc: 'bytes that images in work may take together',
  },
  ownProcess: {
    parser: {
      schema: { enum: [true, false, 'sandboxed'] },
      parse(value, option) {
        if (typeof value === 'boolean' || value === 'sandboxed') return value
        throw invalidOption(option, "true, false or 'sandboxed'", value)
      },
    },
    default: () => false,
    shownDefault: '`false`',
    doc: 'images are worked on in a process of their own, which gives all memory back; the plugin and the command do so',
  },
  limits: {
    parser: LIMITS,
    default: () => DEFAULT_LIMITS,
    shownDefault: '100 MiB, 100 MP, 256 frames, 120 s',
    doc: '`{ maxBytes, maxPixels, maxFrames, timeout }` per image, the first three checked before decoding; `timeout` is milliseconds of processor time',
  },
  rememberResults: {
    parser: FLAG,
    default: () => false,
    shownDefault: '`false`',
    doc: 'also notes in the cache that a result is finished',
  },
  onWarning: {
    parser: {
      schema: {},
      parse(value, option) {
        if (typeof value === 'function') return value as (message: string) => void
        throw invalidOption(option, 'a function', value)
      },
    },
    default: () => (message) => process.emitWarning(message, 'PixpressWarning'),
    shownDefault: "a warning of Node's process",
    doc: 'called with one plain sentence when something is wrong that does not stop the work',
  },
}

/** @throws PixpressError `INVALID_OPTION` */
export function resolveOptimizerOptions(options: OptimizerOptions = {}): ResolvedOptimizerOptions {
  const parsed = parseOptions<OptimizerOptions>(OPTIMIZER_OPTIONS, options) as ResolvedOptimizerOptions
  return { ...parsed, limits: { ...DEFAULT_LIMITS, ...parsed.limits } }
}

function parseCache(value: unknown, option: string): false | ResolvedCacheSettings | CacheStore {
  if (value === false || 'get' in plainObject(option, value)) return value as false | CacheStore
  const { dir, ...others } = CACHE_SETTINGS.parse(value, option)
  if (dir === undefined) throw invalidOption(`${option}.dir`, 'a folder', dir)
  return { dir, ...resolveCacheSettings(others) }
}
