import type {
  Budget,
  FilterPattern,
  ImageType,
  Limits,
  Operations,
  PlaceholderKind,
  ProjectOptions,
} from '@pixpress/core'
import type {
  LockedFormats,
  ResolvedCacheSettings,
  ResolvedImageStore,
  ResolvedRemoteOptions,
} from '@pixpress/core/internal'
import type { CustomOutput } from '../../directives/custom-output.ts'
import type { DefaultDirectives } from '../../directives/default-directives.ts'
import type { PresetOrParts, ResolvedPresets } from '../../directives/presets.ts'

/** The options of the plugin. */
export interface Options extends Omit<ProjectOptions, 'convert' | 'presets' | 'defaultDirectives' | 'outputs'> {
  /**
   * Converts every referenced image, each to one file. `auto`: to the smallest of AVIF, WebP and its original format,
   * as far as the project's browsers support them. Else to the given type, or the smallest of a list or of the
   * wildcard. `false`: not at all, for `overrides`. An image keeps its format where that is smaller, and where the new
   * one would lose its transparency or animation. Icons, social cards and files of `public/` keep their format; pages,
   * stylesheets and components show a converted copy of the latter.
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
  /** The option as it was given: `operations` has the formats that it stands for. */
  readonly convert: Options['convert']
  readonly operations: Operations
}

/** The plugin's options after they were checked, with defaults filled in. */
export interface ResolvedOptions {
  readonly root: string
  readonly include: FilterPattern | undefined
  readonly exclude: FilterPattern | undefined
  /** Applied to every image; directives add to them. */
  readonly operations: Operations
  /** Holds what some images add to the operations, in order. */
  readonly overrides: readonly ResolvedOverride[]
  /** The option as it was given: `operations` has the formats that it stands for. */
  readonly convert: Options['convert']
  /** Tells whether `convert: 'auto'` is asked for, of some images at least. */
  readonly isAuto: boolean
  /** The formats that `convert: 'auto'` may write, best first. */
  readonly covered: readonly ImageType[]
  /** Why the project's browsers are not known although it names them, and what to do. */
  readonly unknownBrowsers?: string
  /** Which formats `convert: 'auto'` writes, which browsers decide, and how to change it. */
  readonly standing?: string
  /** The same for `pixpress.lock`. */
  readonly autoFormats?: LockedFormats
  readonly convertIcons: boolean
  readonly presets: ResolvedPresets
  /** `quality`, `effort` and crops of queries mean what they mean in imagetools. */
  readonly compat: boolean
  readonly defaultDirectives: DefaultDirectives | undefined
  readonly outputs: Readonly<Record<string, CustomOutput>>
  readonly namedExports: boolean
  /** Holds what `as=img` and `as=picture` show until the image is there. */
  readonly lqip: PlaceholderKind | undefined
  /** Absolute: the file in which the types of imports are kept. */
  readonly types: string | undefined
  /** The options that those types depend on, as JSON, as far as that can hold them. */
  readonly shaping: string
  /** Patterns of URLs. */
  readonly remoteImages: readonly string[]
  readonly publicDir: boolean
  /** Absent: on this machine. */
  readonly remote: ResolvedRemoteOptions | undefined
  /** Absent: images are files of the output. */
  readonly store: ResolvedImageStore | undefined
  /** Absolute, without symbolic links. Holds the cache's entries. */
  readonly cacheDir: string
  /**
   * Absolute, without symbolic links. Holds the files that bundlers read: in `node_modules`, which they do not watch,
   * unless a folder is given.
   */
  readonly workDir: string
  /** Tells whether results outlive the run. */
  readonly persistent: boolean
  /** Holds what the cache may hold, what stands behind it, and what it may do. */
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
    /** Tells whether what a framework itself would have made is measured. */
    readonly baseline: boolean
  }
  /** Holds what images may have; checked, and resolved where a build ends. */
  readonly budgets: readonly Budget[]
  readonly onError: 'warn' | 'error'
  /**
   * Decides about an image whose time was up, or whose work failed unexpectedly: it is passed over only on request.
   */
  readonly onBlameless: 'warn' | 'error'
  readonly concurrency: number | undefined
  readonly limits: Limits
}
