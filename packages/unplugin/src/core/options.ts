import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  PixpressError,
  didYouMean,
  invalidOption,
  resolveImageStore,
  resolveOperations,
  resolveRemoteOptions,
} from '@pixpress/core'
import type {
  ConvertType,
  Effort,
  EncoderSettings,
  ImageStoreOptions,
  Limits,
  Operations,
  PreserveItem,
  QualityTarget,
  RemoteOptions,
  ResizeOptions,
  ResolvedImageStore,
  ResolvedRemoteOptions,
} from '@pixpress/core'
import { resolvePresets } from './directives/presets.ts'
import type { Preset, ResolvedPresets } from './directives/presets.ts'
import type { FilterPattern } from './filter.ts'

export interface Options {
  /** Folder that `include`, `exclude` and the report's paths are relative to. Default: the bundler's own root. */
  root?: string
  /** Images to work on: globs or regular expressions on the path relative to the root. Default: every JPEG, PNG, WebP, AVIF, GIF and SVG. */
  include?: FilterPattern
  /** Images to leave alone. */
  exclude?: FilterPattern
  /** `high` (default), `balanced`, `small`, or an SSIMULACRA2 score from 1 to 100. */
  quality?: QualityTarget
  /** Bytes that a result may have; beyond them the quality gives way. Default: no bound. */
  maxBytes?: number
  /** Time for bytes at the same quality: `fast`, `default` (default) or `max`. */
  effort?: Effort
  /** Plain settings for the encoders of some types, in place of a search for the quality. */
  encoder?: EncoderSettings
  /**
   * Converts every referenced image: to the given type, or the smallest of a list or of the wildcard. An image stays in its own
   * type where that is smaller, and where the new type would lose its transparency or animation. Icons, social cards
   * and `public/` keep their type.
   */
  convert?: { type: ConvertType | readonly ConvertType[] }
  /** Also converts icons (`<link rel="icon">`) and social cards (`og:image`, `twitter:image`). Default `false`, as older readers know only the old types. */
  convertIcons?: boolean
  /** Resizes every image; nothing is scaled up. */
  resize?: ResizeOptions
  /** Fills the transparent pixels of every image. */
  transform?: { background: `#${string}` | 'white' | 'black' }
  /** Metadata to keep; everything else is dropped. */
  preserve?: readonly PreserveItem[]
  /** Named sets of directives for `?preset=name`. */
  presets?: Record<string, Preset>
  /** Compresses images that the bundler copies as they are (`public/`), in the output folder, in their own type. Default `true`. */
  publicDir?: boolean
  /** Where images are worked on: `local` (default), or a service of the remote interface. */
  engine?: 'local' | RemoteOptions
  /** Builds put the images of scripts, stylesheets and pages into object storage, and refer to them there. */
  store?: ImageStoreOptions
  /** Keeps results between builds, by default in `node_modules/.cache/pixpress`. `false` keeps them for one run only. */
  cache?: boolean | { /** Folder, relative to the root. */ dir?: string; /** Bytes; default 1 GiB. */ maxSize?: number }
  /** A table at the end of every build. `{ json }` also writes it as data to that file, relative to the root. Default `true`. */
  report?: boolean | { json?: string }
  /** What a broken image does: `warn` (default) names it and keeps the original, `error` fails the build. */
  onError?: 'warn' | 'error'
  /** Images worked on at once. Default: the processors this process may use. */
  concurrency?: number
  /** Bounds checked before anything is decoded. */
  limits?: Limits
}

export interface ResolvedOptions {
  readonly root: string
  readonly include: FilterPattern | undefined
  readonly exclude: FilterPattern | undefined
  /** Applied to every image; directives add to them. */
  readonly operations: Operations
  readonly convertIcons: boolean
  readonly presets: ResolvedPresets
  readonly publicDir: boolean
  /** Absent: on this machine. */
  readonly remote: ResolvedRemoteOptions | undefined
  /** Absent: images are files of the output. */
  readonly store: ResolvedImageStore | undefined
  /** Absolute. Holds the cache's entries, and the files that bundlers read. */
  readonly cacheDir: string
  /** Whether results outlive the run. */
  readonly persistent: boolean
  readonly maxCacheSize: number | undefined
  readonly report: { readonly terminal: boolean; /** Absolute. */ readonly json: string | undefined }
  readonly onError: 'warn' | 'error'
  readonly concurrency: number | undefined
  readonly limits: Limits
}

const KEYS: readonly (keyof Options)[] = [
  'root',
  'include',
  'exclude',
  'quality',
  'maxBytes',
  'effort',
  'encoder',
  'convert',
  'convertIcons',
  'resize',
  'transform',
  'preserve',
  'presets',
  'publicDir',
  'engine',
  'store',
  'cache',
  'report',
  'onError',
  'concurrency',
  'limits',
]

/**
 * Validates the options once, and fills in every default.
 * @param bundlerRoot The folder the bundler works in; `options.root` beats it.
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveOptions(options: Options, bundlerRoot: string): ResolvedOptions {
  knownKeys('', options, KEYS)
  const root = path.resolve(bundlerRoot, text('root', options.root) ?? '')
  const cache = options.cache ?? true
  if (typeof cache !== 'boolean') knownKeys('cache.', cache, ['dir', 'maxSize'])
  const report = options.report ?? true
  if (typeof report !== 'boolean') knownKeys('report.', report, ['json'])
  const json = typeof report === 'boolean' ? undefined : text('report.json', report.json)
  const dir = typeof cache === 'boolean' ? undefined : text('cache.dir', cache.dir)
  if (typeof options.engine === 'string' && options.engine !== 'local')
    throw invalidOption('engine', "'local' or an object", options.engine)
  if (options.onError !== undefined && options.onError !== 'warn' && options.onError !== 'error') {
    throw invalidOption('onError', "'warn' or 'error'", options.onError)
  }
  return {
    root,
    include: options.include,
    exclude: options.exclude,
    operations: defaultOperations(options),
    convertIcons: flag('convertIcons', options.convertIcons, false),
    presets: resolvePresets(options.presets ?? {}),
    publicDir: flag('publicDir', options.publicDir, true),
    remote:
      options.engine === undefined || options.engine === 'local' ? undefined : resolveRemoteOptions(options.engine),
    store: options.store === undefined ? undefined : resolveImageStore(options.store, root),
    cacheDir:
      dir === undefined
        ? path.join(packageFolder(root), 'node_modules', '.cache', 'pixpress')
        : path.resolve(root, dir),
    persistent: cache !== false,
    maxCacheSize: typeof cache === 'boolean' ? undefined : cache.maxSize,
    report: { terminal: report !== false, json: json === undefined ? undefined : path.resolve(root, json) },
    onError: options.onError ?? 'warn',
    concurrency: options.concurrency,
    limits: options.limits ?? {},
  }
}

/** The operations of every image. A conversion for all is never a demand: an image that would grow stays as it is. */
function defaultOperations(options: Options): Operations {
  const { quality, maxBytes, effort, encoder, convert, resize, transform, preserve } = options
  const operations: Operations = {
    ...(quality !== undefined && { quality }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(effort !== undefined && { effort }),
    ...(encoder !== undefined && { encoder }),
    ...(convert !== undefined && { convert }),
    ...(resize !== undefined && { resize }),
    ...(transform !== undefined && { transform }),
    ...(preserve !== undefined && { preserve }),
  }
  resolveOperations(operations)
  if (convert === undefined) return operations
  const type: readonly ConvertType[] = typeof convert.type === 'string' ? [convert.type] : convert.type
  return { ...operations, convert: { type } }
}

/** The nearest folder upwards with a manifest: where a project's `node_modules` belongs. */
function packageFolder(root: string): string {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder
    if (folder === path.dirname(folder)) return root
  }
}

function knownKeys(prefix: string, value: object, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null)
    throw invalidOption(prefix.slice(0, -1) || 'options', 'an object', value)
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      throw new PixpressError('INVALID_OPTION', `Unknown option '${prefix}${key}'. ${didYouMean(key, known)}`)
    }
  }
}

function text(option: string, value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw invalidOption(option, 'a path', value)
}

function flag(option: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback
  if (typeof value === 'boolean') return value
  throw invalidOption(option, 'true or false', value)
}
