import path from 'node:path'
import {
  CACHE_SETTINGS,
  cacheModeOf,
  invalidOption,
  lockFile,
  oneOf,
  operationsFromFlags,
  readEnvironment,
  resolveCacheSettings,
  resolveOperations,
  resolveImageStore,
  resolveRemoteOptions,
  wholeNumber,
  UsageError,
} from '@pixpress/core/internal'
import { PixpressError } from '@pixpress/core'
import type { CacheMode, Limits, Operations, RemoteOptions } from '@pixpress/core'
import type {
  FlagTexts,
  FlagValues,
  Flags,
  ResolvedCacheSettings,
  ResolvedImageStore,
  ResolvedRemoteOptions,
} from '@pixpress/core/internal'
import { originalsFolder } from '../backup/originals.ts'
import { defaultCacheFolder } from '../base/cache-folder.ts'
import type { Config, LoadedConfig } from '../base/config.ts'
import type { Surroundings } from '../base/output.ts'
import { percentOf } from '../base/percent.ts'
import { COMPRESS_FLAGS } from './flags.ts'
import { splitGlobs } from './exclusions.ts'
import { createOperations } from './file-operations.ts'
import type { OperationsOf } from './file-operations.ts'
import { WIDTHS_NAME, parseNameTemplate } from './name-template.ts'
import type { NameTemplate } from './name-template.ts'
import { parseShard } from './shard.ts'
import type { Shard } from './shard.ts'

/** Everything that decides what `compress` does, from flags (which win), configuration and defaults. */
export interface CompressSettings {
  /** Folder that the configuration's patterns are relative to, absolute. */
  readonly root: string
  readonly operations: OperationsOf
  /** The operations of flags alone. */
  readonly flagged: Operations
  /** Absolute. `undefined`: files are replaced in place. */
  readonly out: string | undefined
  /** The service to work; `undefined`: this machine. */
  readonly remote: ResolvedRemoteOptions | undefined
  /** Where results are put as well; `undefined`: nowhere. */
  readonly store: ResolvedImageStore | undefined
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Globs relative to the working folder of what is left out even where it is named. */
  readonly without: readonly string[]
  /** Folders that have nothing of the project, absolute: that of the cache. */
  readonly own: readonly string[]
  readonly cache: false | (ResolvedCacheSettings & { readonly gitIgnored: boolean | 'others' })
  /** Decides whether anything may be encoded, also without a cache. */
  readonly cacheMode: CacheMode
  /** Absolute: the file that says which result each image has; `undefined`: none is kept. */
  readonly lock: string | undefined
  readonly concurrency: number | undefined
  readonly limits: Limits | undefined
  readonly dryRun: boolean
  readonly overwrite: boolean
  readonly force: boolean
  readonly preserveTimes: boolean
  readonly json: boolean
  /** Absolute path of the report as a page; `undefined`: none is written. */
  readonly html: string | undefined
  readonly quiet: boolean
  /** True if each image is mentioned, and failures with their codes. */
  readonly verbose: boolean
  /** True if the table has a row for every image. */
  readonly isFull: boolean
  readonly watch: boolean
  /** Share of its bytes that a file has to lose before it is replaced, from 0 to 1. */
  readonly minSaving: number
  /** Folder that keeps what is replaced, absolute; `undefined`: none was given. */
  readonly backup: string | undefined
  /** Folder of the cache that keeps what is replaced, for a while; `undefined`: nothing is kept there. */
  readonly originals: string | undefined
  /** The part of the inputs that this run works on; `undefined`: all of them. */
  readonly shard: Shard | undefined
  /** Widths of which each is a result of its own; empty: every source has one result. */
  readonly widths: readonly number[]
  /** Names of results below `out`; `undefined`: those of the sources. */
  readonly template: NameTemplate | undefined
}

/** @throws UsageError, PixpressError `INVALID_OPTION` */
export function resolveCompressSettings(
  given: FlagValues<Flags>,
  { config, file }: LoadedConfig,
  { cwd, env }: Surroundings,
): CompressSettings {
  const texts: FlagTexts = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === true ? '' : value || undefined]),
  )
  const isOn = (name: string): boolean => given[name] === true
  const widths = widthsOf(texts)
  const flagged = byFlags(operationsFromFlags(widths.length === 0 ? texts : { ...texts, width: String(widths[0]) }))
  assertConsistent(texts, widths)
  const configFolder = path.dirname(file ?? path.join(cwd, 'none'))
  const root = path.resolve(configFolder, config.root ?? '')
  const operations = createOperations(config, flagged, root)
  const cache = isOn('no-cache') ? false : cacheOf(texts, config, configFolder, { cwd, env })
  return {
    root,
    operations,
    flagged,
    out: texts['out'] === undefined ? undefined : path.resolve(cwd, texts['out']),
    remote: remoteOf(texts, config, env),
    store: isOn('store') ? storeOf(config, configFolder) : undefined,
    include: globs('include', config.include),
    exclude: globs('exclude', config.exclude),
    without: splitGlobs(texts['exclude'] ?? ''),
    own: cache === false ? [] : [cache.dir],
    cache,
    cacheMode: cacheModeOf(typeof config.cache === 'object' ? config.cache : {}, env),
    lock: lockFile(config, root),
    concurrency: wholeNumber('concurrency', texts['concurrency']) ?? config.concurrency,
    limits: config.limits,
    dryRun: isOn('dry-run'),
    overwrite: isOn('overwrite'),
    force: isOn('force'),
    preserveTimes: isOn('preserve-times'),
    json: isOn('json'),
    html: reportPage(texts, config, configFolder, cwd),
    quiet: isOn('quiet'),
    verbose: isOn('verbose'),
    isFull: texts['report'] !== undefined && oneOf(['full', 'short']).parse(texts['report'], '--report') === 'full',
    watch: isOn('watch'),
    minSaving: texts['min-saving'] === undefined ? 0 : percentOf(texts['min-saving'], 'min-saving') / 100,
    backup: texts['backup'] === undefined ? undefined : path.resolve(cwd, texts['backup']),
    originals:
      isOn('no-backup') || texts['backup'] !== undefined
        ? undefined
        : originalsFolder(cache === false ? defaultCacheFolder(cwd, env) : cache.dir),
    shard: texts['shard'] === undefined ? undefined : parseShard(texts['shard'], env),
    widths,
    template: templateOf(texts, widths),
  }
}

/** Checks the operations of flags, and names the flag in an error and not the option that it means. */
function byFlags(operations: Operations): Operations {
  try {
    resolveOperations(operations)
    return operations
  } catch (error) {
    if (!(error instanceof PixpressError)) throw error
    const message = error.message.replace(
      /'([a-zA-Z]+)(?:\.([a-zA-Z]+))?'(?= but received)/,
      (option, row: string, member) => {
        const flag = [member as string | undefined, row].map(flagOf).find((name) => name in COMPRESS_FLAGS)
        return flag === undefined ? option : `'--${flag}'`
      },
    )
    throw new PixpressError(error.code, message, { cause: error.cause })
  }
}

const flagOf = (option = ''): string => option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `480,960`: several results of every source. One width alone is an operation like any other. */
function widthsOf({ width }: FlagTexts): readonly number[] {
  if (width === undefined || !width.includes(',')) return []
  const widths = width.split(',').map((each) => wholeNumber('width', each.trim()) ?? 0)
  return [...new Set(widths)].toSorted((a, b) => a - b)
}

function templateOf({ name }: FlagTexts, widths: readonly number[]): NameTemplate | undefined {
  if (name !== undefined) return parseNameTemplate(name)
  return widths.length > 0 ? parseNameTemplate(WIDTHS_NAME) : undefined
}

/** @throws UsageError for flags that say nothing together */
function assertConsistent(texts: FlagTexts, widths: readonly number[]): void {
  const has = (name: string): boolean => texts[name] !== undefined
  const excluding = [
    ['watch', 'dry-run'],
    ['watch', 'files-from'],
    ['watch', 'staged'],
    ['min-saving', 'out'],
    ['backup', 'no-backup'],
    ['verbose', 'quiet'],
  ] as const
  for (const [a, b] of excluding) if (has(a) && has(b)) throw new UsageError(`--${a} and --${b} exclude each other.`)
  if (has('out')) return
  // In the next run they would be sources.
  if (widths.length > 0) throw new UsageError('Several widths need --out, the folder of the results.')
  if (has('name')) throw new UsageError('--name needs --out, the folder of the results.')
}

function reportPage(
  { html }: FlagTexts,
  { report, root = '' }: Config,
  configFolder: string,
  cwd: string,
): string | undefined {
  if (html !== undefined) return path.resolve(cwd, html)
  const written = typeof report === 'object' ? report.html : undefined
  return written === undefined ? undefined : path.resolve(configFolder, root, written)
}

/** The flag's service needs a key; the configuration's may take it from the flag or the environment as well. */
function remoteOf(
  flags: FlagTexts,
  { engine = 'local' }: Config,
  env: Surroundings['env'],
): ResolvedRemoteOptions | undefined {
  const key = flags['key'] ?? readEnvironment(COMPRESS_FLAGS, env)['key']?.toString()
  if (flags['engine'] === undefined && engine === 'local') {
    if (flags['key'] !== undefined) throw new UsageError('--key is for a service: give --engine too.')
    return undefined
  }
  if (flags['engine'] === 'local') return undefined
  if (flags['engine'] !== undefined && key === undefined) {
    throw new UsageError('--engine needs a key: set PIXPRESS_KEY, or give --key.')
  }
  // Another service than the configured one must not get its keys.
  const base = flags['engine'] === undefined ? (engine as RemoteOptions) : { endpoint: endpointsOf(flags['engine']) }
  const isKeyed = 'key' in base || 'keys' in base
  return resolveRemoteOptions(key === undefined || (isKeyed && flags['key'] === undefined) ? base : { ...base, key })
}

/** One URL, or several with commas between them; a comma of a path is written `%2C`. */
const endpointsOf = (text: string): string | string[] =>
  text.includes(',') ? text.split(',').map((each) => each.trim()) : text

/** Credentials have no place among flags, which other programs of the machine can see. */
function storeOf({ store }: Config, configFolder: string): ResolvedImageStore {
  if (store !== undefined) return resolveImageStore(store, configFolder)
  throw new UsageError("--store needs to know where: give 'store' in pixpress.config.ts.")
}

function cacheOf(
  { 'cache-dir': written }: FlagTexts,
  { cache = true }: Config,
  configFolder: string,
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
): CompressSettings['cache'] {
  if (cache === false && written === undefined) return false
  const fallback = defaultCacheFolder(cwd, env)
  const { dir = fallback, ...others } = typeof cache === 'boolean' ? {} : cache
  const isUsual = dir === fallback || 'others'
  return {
    dir: written === undefined ? path.resolve(configFolder, dir) : path.resolve(cwd, written),
    ...resolveCacheSettings(CACHE_SETTINGS.parse(others, 'cache'), env),
    gitIgnored: written === undefined && isUsual,
  }
}

/** The plugin takes regular expressions as well; the command looks files up, for which there are globs. */
function globs(option: string, patterns: unknown): readonly string[] {
  const list: readonly unknown[] = patterns === undefined ? [] : Array.isArray(patterns) ? patterns : [patterns]
  return list.map((each) => {
    if (typeof each === 'string') return each
    throw invalidOption(option, 'globs for the command, which takes no regular expressions,', each)
  })
}
