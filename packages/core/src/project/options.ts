import type { CacheMode } from '../cache/mode.ts'
import type { CacheRemote } from '../cache/remote/options.ts'
import type { RemoteOptions } from '../engines/remote/options.ts'
import type { FilterPattern } from '../files/path-patterns.ts'
import type { Limits } from '../base/limits.ts'
import type { Budget } from './budgets.ts'
import type { ProjectOperations } from '../operations/index.ts'
import type { PlaceholderKind } from '../placeholder/kinds.ts'
import type { ImageStoreOptions } from '../objects/image-store-options.ts'

/** Operations of the images that it includes. */
export interface Override extends ProjectOperations {
  /** Globs or regular expressions on the path relative to the root. */
  include: FilterPattern
  /** Images that it leaves alone. */
  exclude?: FilterPattern
}

/** The options of a project: of the plugin and of the configuration file, which the command and the plugin share. */
export interface ProjectOptions extends ProjectOperations {
  /** Folder that `include`, `exclude` and the report's paths are relative to. Default: the bundler's own root. */
  root?: string
  /**
   * Images to work on: globs or regular expressions on the path relative to the root. Default: every image, by its
   * extension.
   */
  include?: FilterPattern
  /** Images to leave alone. */
  exclude?: FilterPattern
  /** Operations of some images, over those of all: the last that includes an image decides each operation. */
  overrides?: readonly Override[]
  /**
   * Offers the source's own type where not every browser may read the new types. `auto`: pages and stylesheets offer
   * the new types beside the image's own type, and scripts get the one that all browsers of the project read, if there
   * is one. `picture`: pages and stylesheets alone. `false`: the new type alone, everywhere. Default: `auto` with
   * `convert: 'auto'`, else `false`.
   */
  fallback?: Fallback
  /**
   * Where images are offered in several types, pages say the proportions of each `<img>` that does not say its width
   * and height, so that nothing moves when it arrives. Default `true`.
   */
  dimensions?: boolean
  /**
   * Converts icons (`<link rel="icon">`) and social cards (`og:image`, `twitter:image`) as well. Default `false`, as
   * older readers know only the old types.
   */
  convertIcons?: boolean
  /** Named sets of directives for `?preset=name`. */
  presets?: Readonly<Record<string, object>>
  /**
   * `imagetools`: a number as `quality` and `effort` of a query are the encoder's settings instead of the score to keep
   * and time for it, and crops keep the centre. Default `false`.
   */
  compat?: 'imagetools' | false
  /**
   * Directives of imports that say none of the same name: an object, `URLSearchParams`, or a function of the URL and of
   * what the image's header says. Default: none.
   */
  defaultDirectives?: object
  /**
   * Outputs of the project's own, `as=name`: functions of the images that give what the module exports. Default: none.
   */
  outputs?: Readonly<Record<string, unknown>>
  /** Modules export the members of objects by their names too. Default `true`. */
  namedExports?: boolean
  /** The placeholder of imports as `img` and `picture`, shown until the image is there. Default: none. */
  lqip?: PlaceholderKind
  /** File, relative to the root, in which the types of all image imports with queries are kept. Default: none. */
  types?: string
  /**
   * Compresses images that the bundler copies as they are (`public/`), in the output folder, in their own type. Default
   * `true`.
   */
  publicDir?: boolean
  /** Where images are worked on: `local` (default), or a service of the remote interface. */
  engine?: 'local' | RemoteOptions
  /** Builds put the images of scripts, stylesheets and pages into object storage, and refer to them there. */
  store?: ImageStoreOptions
  /**
   * The time that a build may spend at full effort on images that its cache does not have, as `'5s'`, `'2m'` or
   * milliseconds: a quick path writes the others, as drafts. Only for images with `effort: 'auto'`; needs a lock, which
   * is made. Default: no bound.
   */
  firstBuild?: number | string
  /** Keeps results between runs, by default in the project's `.cache/pixpress`. `false` keeps them for one run only. */
  cache?: boolean | ProjectCache
  /**
   * The file that says which result each image has: `true` keeps `pixpress.lock` in the project's folder, a path
   * another file, relative to the root. `false`: none. Default: `pixpress.lock` is kept up to date where it is there.
   */
  lock?: boolean | string
  /**
   * A table at the end of every build. `{ json }` also writes it as data to that file, `{ html }` as a page; both are
   * relative to the root. `{ baseline: true }` also makes each image as the framework itself would have, and compares:
   * that takes time, once. Default `true`.
   */
  report?: boolean | { json?: string; html?: string; baseline?: boolean }
  /**
   * Bytes that images may have: `pixpress check` and builds say which have more; with `onError: 'error'` builds fail.
   * Default: none.
   */
  budgets?: readonly Budget[]
  /**
   * The reaction to a damaged image: `warn` (default) names it and keeps the original, `error` fails the build. An
   * image whose time limit passes fails the build unless `warn` is given. A fault of the machine, a service or the
   * options always fails it.
   */
  onError?: 'warn' | 'error'
  /** Images worked on at once. Default: the processors this process may use. */
  concurrency?: number
  /** Bounds checked before anything is decoded. */
  limits?: Limits
}

/** Where the results of a project are kept. */
export interface ProjectCache {
  /** Folder, relative to the root. Default: the project's `.cache/pixpress`. */
  dir?: string
  /** Bytes that the folder may hold. Default 1 GiB. */
  maxSize?: number
  /** Where results are shared with other machines, behind the folder. Default: nowhere. */
  remote?: CacheRemote | undefined
  /**
   * `readwrite`: results go into the folder and to the remote. `read`: the remote, or without one the folder, is only
   * read. `frozen`: as `read`, and nothing is encoded: what is missing fails the build. Default `readwrite`, and `read`
   * with `remote`. The variable `PIXPRESS_FROZEN=1` means `frozen`.
   */
  mode?: CacheMode | undefined
}

/** The places that offer converted images. */
export type Fallback = 'auto' | 'picture' | false

/** Options that always have a value. */
export type Defaulted =
  | 'convertIcons'
  | 'dimensions'
  | 'presets'
  | 'outputs'
  | 'namedExports'
  | 'publicDir'
  | 'engine'
  | 'cache'
  | 'report'
  | 'onError'

/**
 * Options of a project after validation by themselves; `presets`, `engine` and `store` are resolved where they are
 * used.
 */
export type ParsedProjectOptions = Omit<ProjectOptions, Defaulted | 'firstBuild'> &
  Required<Pick<ProjectOptions, Defaulted>> & { /** Milliseconds. */ firstBuild?: number }
