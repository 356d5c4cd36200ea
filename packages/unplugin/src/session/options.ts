import { realpathSync } from 'node:fs'
import path from 'node:path'
import {
  AUTO,
  AUTO_TYPES,
  PROJECT_OPTIONS,
  lockFile,
  parseOptions,
  projectCacheFolder,
  projectFolder,
  projectOperations,
  resolveCacheSettings,
  resolveImageStore,
  resolveRemoteOptions,
} from '@pixpress/core/internal'
import type {
  Budget,
  Fallback,
  FilterPattern,
  ImageType,
  Limits,
  Operations,
  PlaceholderKind,
  ProjectOptions,
} from '@pixpress/core'
import type {
  ParsedProjectOptions,
  ResolvedCacheSettings,
  ResolvedImageStore,
  ResolvedRemoteOptions,
  Rows,
} from '@pixpress/core/internal'
import { resolveOutputs } from '../directives/custom-output.ts'
import type { CustomOutput } from '../directives/custom-output.ts'
import { resolveDefaultDirectives } from '../directives/default-directives.ts'
import type { DefaultDirectives } from '../directives/default-directives.ts'
import { resolvePresets } from '../directives/presets.ts'
import type { PresetOrParts, ResolvedPresets } from '../directives/presets.ts'
import { fromImagetools } from './imagetools-options.ts'
import { allKnowWhere, browsersOfTargets, projectBrowsers, typesForAll } from './browsers.ts'
import { standingSentence } from './standing.ts'

/** The options of the plugin. */
export interface Options extends Omit<ProjectOptions, 'convert' | 'presets' | 'defaultDirectives' | 'outputs'> {
  /**
   * Converts every referenced image. `auto`: pages and stylesheets offer AVIF and WebP beside the image's own type, and
   * nothing larger than what comes after it. Else to the given type, or the smallest of a list or of the wildcard, without a
   * fallback unless `fallback` asks for one. An image stays in its own type where that is smaller, and where the new type
   * would lose its transparency or animation. Icons, social cards and `public/` keep their type.
   */
  convert?: NonNullable<ProjectOptions['convert']>
  /** Named sets of directives for `?preset=name`; a list is a picture with a part for each medium. */
  presets?: Record<string, PresetOrParts>
  /** Directives of imports, with a query or without, and of queries elsewhere, that say none of the same name. */
  defaultDirectives?: DefaultDirectives
  /** Outputs of the project's own, `as=name`. */
  outputs?: Record<string, CustomOutput>
}

/** Operations of the images that it includes. */
export interface ResolvedOverride {
  readonly include: FilterPattern
  readonly exclude: FilterPattern | undefined
  readonly operations: Operations
}

export interface ResolvedOptions {
  readonly root: string
  readonly include: FilterPattern | undefined
  readonly exclude: FilterPattern | undefined
  /** Applied to every image; directives add to them. */
  readonly operations: Operations
  /** What some images add to the operations, in order. */
  readonly overrides: readonly ResolvedOverride[]
  /** How converted images are offered; `false`: the new type alone. */
  readonly fallback: Fallback
  /** Types that every browser of the project reads, best first; empty where nothing is known of them. */
  readonly covered: readonly ImageType[]
  /** Whether every browser of the project that is known of reads `:where()` in selectors. */
  readonly knowsWhere: boolean
  /** Why the project's browsers are not known although it names them. */
  readonly unknownBrowsers?: string
  /** Which browsers keep images of scripts from a type, and the line that changes it, as sentences. */
  readonly standing?: string
  /** Whether converted pages tell the proportions of their images. */
  readonly dimensions: boolean
  readonly convertIcons: boolean
  readonly presets: ResolvedPresets
  /** `quality`, `effort` and crops of queries mean what they mean in imagetools. */
  readonly compat: boolean
  readonly defaultDirectives: DefaultDirectives | undefined
  readonly outputs: Readonly<Record<string, CustomOutput>>
  readonly namedExports: boolean
  /** What `as=img` and `as=picture` show until the image is there. */
  readonly lqip: PlaceholderKind | undefined
  /** Absolute: the file in which the types of imports are kept. */
  readonly types: string | undefined
  /** The options that those types depend on, as JSON, as far as that can hold them. */
  readonly shaping: string
  readonly publicDir: boolean
  /** Absent: on this machine. */
  readonly remote: ResolvedRemoteOptions | undefined
  /** Absent: images are files of the output. */
  readonly store: ResolvedImageStore | undefined
  /** Absolute, without symbolic links. Holds the cache's entries. */
  readonly cacheDir: string
  /** Absolute, without symbolic links. Holds the files that bundlers read: in `node_modules`, which they do not watch, unless a folder is given. */
  readonly workDir: string
  /** Whether results outlive the run. */
  readonly persistent: boolean
  /** What the cache may hold, what stands behind it, and what it may do. */
  readonly cache: Omit<ResolvedCacheSettings, 'dir'>
  /** Absolute: the file that says which result each image has. */
  readonly lock: string | undefined
  /** Milliseconds that a build may spend at full effort; `undefined`: no bound. */
  readonly firstBuild: number | undefined
  /** Files are absolute. */
  readonly report: {
    readonly terminal: boolean
    readonly json: string | undefined
    readonly html: string | undefined
    /** Whether what a framework itself would have made is measured. */
    readonly baseline: boolean
  }
  /** What images may have; checked, and resolved where a build ends. */
  readonly budgets: readonly Budget[]
  readonly onError: 'warn' | 'error'
  /** Of an image whose time was up, or whose work failed unexpectedly: it is passed over only where that was asked for. */
  readonly onBlameless: 'warn' | 'error'
  readonly concurrency: number | undefined
  readonly limits: Limits
}

/** The rows of what every adapter takes. */
const ROWS = Object.fromEntries(
  Object.entries(PROJECT_OPTIONS).filter(([, { bundlers }]) => bundlers === undefined),
) as Rows<Options>

/**
 * Validates the options once, and fills in every default.
 * @param given those of vite-imagetools are taken with `compat: 'imagetools'`, where they mean something
 * @param bundlerRoot The folder the bundler works in; `options.root` beats it.
 * @param targets The bundler's own targets (`chrome107`); a browserslist of the project beats them. Default: none
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolveOptions(given: Options, bundlerRoot: string, targets: readonly string[] = []): ResolvedOptions {
  const options = fromImagetools(given)
  const outputs = resolveOutputs(options.outputs)
  const parsed = parseOptions(ROWS, options) as Omit<Options, 'firstBuild'> & ParsedProjectOptions
  const {
    include,
    exclude,
    convertIcons,
    dimensions,
    lqip,
    publicDir,
    onError,
    concurrency,
    namedExports,
    limits = {},
  } = parsed
  const root = path.resolve(bundlerRoot, parsed.root ?? '')
  const cache = typeof parsed.cache === 'boolean' ? {} : parsed.cache
  const project = projectFolder(root) ?? root
  const isAuto = [options, ...(parsed.overrides ?? [])].some(({ convert }) => convert === AUTO)
  const fallback = parsed.fallback ?? (isAuto ? 'auto' : false)
  const written = typeof parsed.report === 'boolean' ? {} : parsed.report
  const reportFile = (file: string | undefined): string | undefined => file && path.resolve(root, file)
  return {
    root,
    include,
    exclude,
    operations: projectOperations(options),
    overrides: (parsed.overrides ?? []).map(({ include: taken, exclude: left, ...operations }) => ({
      include: taken,
      exclude: left,
      operations: projectOperations(operations),
    })),
    fallback,
    ...knownOfBrowsers(fallback, root, targets),
    dimensions,
    convertIcons,
    presets: resolvePresets(options.presets, Object.keys(outputs)),
    compat: parsed.compat === 'imagetools',
    defaultDirectives: resolveDefaultDirectives(options.defaultDirectives),
    outputs,
    namedExports,
    lqip,
    types: parsed.types === undefined ? undefined : path.resolve(root, parsed.types),
    shaping: parsed.types === undefined ? '' : shapingOptions(options),
    publicDir,
    remote: parsed.engine === 'local' ? undefined : resolveRemoteOptions(parsed.engine),
    store: parsed.store && resolveImageStore(parsed.store, root),
    cacheDir: realPath(cache.dir === undefined ? projectCacheFolder(project) : path.resolve(root, cache.dir)),
    workDir: realPath(
      cache.dir === undefined
        ? path.join(project, 'node_modules', '.cache', 'pixpress')
        : path.resolve(root, cache.dir),
    ),
    persistent: parsed.cache !== false,
    cache: resolveCacheSettings(cache),
    lock: lockFile(parsed, root),
    firstBuild: parsed.firstBuild,
    report: {
      terminal: parsed.report !== false,
      json: reportFile(written.json),
      html: reportFile(written.html),
      baseline: written.baseline === true,
    },
    budgets: parsed.budgets ?? [],
    onError,
    onBlameless: options.onError ?? 'error',
    concurrency,
    limits,
  }
}

/** What can be written without losing a browser, by those that the project names. */
function knownOfBrowsers(
  fallback: Fallback,
  root: string,
  targets: readonly string[],
): Pick<ResolvedOptions, 'covered' | 'knowsWhere' | 'unknownBrowsers' | 'standing'> {
  if (fallback === false) return { covered: [], knowsWhere: true }
  const own = projectBrowsers(root)
  // Which of them there are nobody knows, but that the project thinks of some.
  if (own !== undefined && 'error' in own)
    return { covered: [], knowsWhere: false, ...(fallback === 'auto' && { unknownBrowsers: own.error }) }
  const browsers = own ?? browsersOfTargets(targets)
  const knowsWhere = allKnowWhere(browsers)
  if (fallback !== 'auto') return { covered: [], knowsWhere }
  const covered = typesForAll(AUTO_TYPES, browsers, own === undefined ? 'targets' : 'browserslist')
  const standing = standingSentence(AUTO_TYPES, browsers, own === undefined ? targets : undefined)
  return { covered, knowsWhere, ...(standing !== undefined && { standing }) }
}

/** Options that can change what a module of an import exports. */
const SHAPING = [
  'convert',
  'resize',
  'transform',
  'overrides',
  'presets',
  'lqip',
  'compat',
  'defaultDirectives',
  'namedExports',
]

function shapingOptions(options: Options): string {
  const given = Object.entries(options).filter(([key, value]) => SHAPING.includes(key) && isJson(value))
  return JSON.stringify(Object.fromEntries(given.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && value !== undefined
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every(isJson)
}

/**
 * A path without symbolic links, as bundlers see files that they resolve: those in the cache would not be known for such
 * behind a link (a linked `node_modules`, `/tmp` of macOS), and be worked on again. What does not exist yet is none.
 */
function realPath(folder: string): string {
  const parent = path.dirname(folder)
  try {
    return realpathSync(folder)
  } catch {
    // Also for what may not be looked at: whatever is to be done there says so.
    return parent === folder ? folder : path.join(realPath(parent), path.basename(folder))
  }
}
