import path from 'node:path'
import {
  EXTENSIONS,
  IMAGE_TYPES,
  invalidOption,
  resolveImageStore,
  resolveOperations,
  resolveRemoteOptions,
} from '@pixpress/core'
import type {
  ConvertType,
  ImageType,
  Limits,
  Operations,
  QualityTarget,
  ResolvedImageStore,
  ResolvedRemoteOptions,
} from '@pixpress/core'
import { defaultCacheFolder } from '../cache-folder.ts'
import type { Config, LoadedConfig } from '../config.ts'
import { wholeNumber } from '../flags.ts'
import type { FlagValues } from '../flags.ts'
import type { Surroundings } from '../output.ts'
import { UsageError } from '../usage-error.ts'
import type { COMPRESS_FLAGS } from './flags.ts'

/** Everything that `compress` goes by, from flags (which win), configuration and defaults. */
export interface CompressSettings {
  readonly operations: Operations
  /** Absolute. `undefined`: files are replaced in place. */
  readonly out: string | undefined
  /** The service to work; `undefined`: this machine. */
  readonly remote: ResolvedRemoteOptions | undefined
  /** Where results are put besides; `undefined`: nowhere. */
  readonly store: ResolvedImageStore | undefined
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly cache: false | { readonly dir: string; readonly maxSize?: number }
  readonly concurrency: number | undefined
  readonly limits: Limits | undefined
  readonly dryRun: boolean
  readonly overwrite: boolean
  readonly json: boolean
  readonly quiet: boolean
  readonly watch: boolean
}

type CompressFlags = FlagValues<typeof COMPRESS_FLAGS>

/** @throws UsageError, PixpressError `INVALID_OPTION` */
export function resolveSettings(
  flags: CompressFlags,
  { config, file }: LoadedConfig,
  { cwd, env }: Surroundings,
): CompressSettings {
  const operations = mergedOperations(flags, config)
  resolveOperations(operations)
  if (flags.watch && flags['dry-run']) throw new UsageError('--watch and --dry-run exclude each other.')
  const configFolder = path.dirname(file ?? path.join(cwd, 'none'))
  return {
    operations,
    out: flags.out === undefined ? undefined : path.resolve(cwd, flags.out),
    remote: remoteOf(flags, config, env),
    store: flags.store ? storeOf(config, configFolder) : undefined,
    include: listed(config.include),
    exclude: listed(config.exclude),
    cache: cacheOf(flags, config, configFolder, defaultCacheFolder(cwd, env), cwd),
    concurrency: wholeNumber('concurrency', flags.concurrency) ?? config.concurrency,
    limits: config.limits,
    dryRun: flags['dry-run'] ?? false,
    overwrite: flags.overwrite ?? false,
    json: flags.json ?? false,
    quiet: flags.quiet ?? false,
    watch: flags.watch ?? false,
  }
}

function mergedOperations(flags: CompressFlags, config: Config): Operations {
  const resize = resizeOf(flags) ?? config.resize
  const convert = flags.convert === undefined ? config.convert : { type: typesOf(flags.convert) }
  const transform = flags.background === undefined ? config.transform : { background: flags.background as `#${string}` }
  const preserve =
    flags.preserve === undefined ? config.preserve : (flags.preserve.split(',') as Operations['preserve'])
  const quality = flags.quality === undefined ? config.quality : qualityOf(flags.quality)
  const effort = flags.effort === undefined ? config.effort : (flags.effort as Operations['effort'])
  const maxBytes = wholeNumber('max-bytes', flags['max-bytes']) ?? config.maxBytes
  return {
    ...(effort !== undefined && { effort }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(config.encoder !== undefined && { encoder: config.encoder }),
    ...(resize !== undefined && { resize }),
    ...(convert !== undefined && { convert }),
    ...(transform !== undefined && { transform }),
    ...(preserve !== undefined && { preserve }),
    ...(quality !== undefined && { quality }),
  }
}

/** The pieces are put together as they were given: `resolveOperations` says what is wrong with them. */
function resizeOf(flags: CompressFlags): Operations['resize'] {
  const { resize: method } = flags
  const width = wholeNumber('width', flags.width)
  const height = wholeNumber('height', flags.height)
  if (method === undefined) {
    if (width === undefined && height === undefined) return undefined
    // One side says all; with both the picture stays inside of them.
    if (width === undefined) return { method: 'scale', height: height! }
    return height === undefined ? { method: 'scale', width } : { method: 'fit', width, height }
  }
  return {
    method,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  } as Operations['resize']
}

const TYPE_OF_NAME: ReadonlyMap<string, ImageType> = new Map([
  ...IMAGE_TYPES.map((type) => [EXTENSIONS[type], type] as const),
  ['jpeg', 'image/jpeg'],
])

/** One type is a demand; of several the smallest wins. `webp` is `image/webp`. */
function typesOf(text: string): ConvertType | ConvertType[] {
  const types = text.split(',').map((name) => TYPE_OF_NAME.get(name.toLowerCase()) ?? (name as ConvertType))
  return types.length === 1 ? types[0]! : types
}

const qualityOf = (text: string): QualityTarget =>
  /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : (text as QualityTarget)

/** The flag's service needs a key; the configuration's may take it from the flag or the environment as well. */
function remoteOf(
  flags: CompressFlags,
  { engine = 'local' }: Config,
  env: Surroundings['env'],
): ResolvedRemoteOptions | undefined {
  if (typeof engine === 'string' && engine !== 'local') throw invalidOption('engine', "'local' or an object", engine)
  const key = flags.key ?? env['PIXPRESS_KEY']
  if (flags.engine === undefined && engine === 'local') {
    if (flags.key !== undefined) throw new UsageError('--key is for a service: give --engine too.')
    return undefined
  }
  if (flags.engine === 'local') return undefined
  const configured = engine === 'local' ? undefined : engine
  if (flags.engine !== undefined && key === undefined) {
    throw new UsageError('--engine needs a key: set PIXPRESS_KEY, or give --key.')
  }
  // Another service than the configured one must not get its keys.
  const base = flags.engine === undefined ? configured! : { endpoint: flags.engine }
  const isKeyed = 'key' in base || 'keys' in base
  return resolveRemoteOptions(key === undefined || (isKeyed && flags.key === undefined) ? base : { ...base, key })
}

/** Credentials have no place among flags, which other programs of the machine can see. */
function storeOf({ store }: Config, configFolder: string): ResolvedImageStore {
  if (store !== undefined) return resolveImageStore(store, configFolder)
  throw new UsageError("--store needs to know where: give 'store' in pixpress.config.ts.")
}

function cacheOf(
  flags: CompressFlags,
  { cache = true }: Config,
  configFolder: string,
  fallback: string,
  cwd: string,
): CompressSettings['cache'] {
  if (flags['no-cache'] || (cache === false && flags['cache-dir'] === undefined)) return false
  const settings = typeof cache === 'boolean' ? {} : cache
  const named = settings.dir === undefined ? fallback : path.resolve(configFolder, settings.dir)
  return {
    dir: flags['cache-dir'] === undefined ? named : path.resolve(cwd, flags['cache-dir']),
    ...(settings.maxSize !== undefined && { maxSize: settings.maxSize }),
  }
}

const listed = (globs: string | readonly string[] | undefined): readonly string[] =>
  globs === undefined ? [] : typeof globs === 'string' ? [globs] : globs
