import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { ResolvedConfig, UserConfig } from 'vite'
import { noteNearQuery, readImport, readQuery } from '../../modules/reference.ts'
import type { ImageReference } from '../../modules/reference.ts'
import { isFile } from '../../base/files.ts'
import type { Warn } from '../../session/plan/images.ts'
import { targetsIn } from '../../session/options/auto-formats.ts'
import type { Options } from '../../session/options/options.ts'
import { decodePath, isExternal, splitUrl } from '../../references/url.ts'
import { createEmittedSources } from './emitted-sources.ts'
import type { EmittedSources } from './emitted-sources.ts'
import { createResolveBeside } from './resolve-beside.ts'
import { openSession } from '../../session/registry.ts'
import type { Session } from '../../session/session.ts'

/** Ids and URLs that can be images. Narrow, so that Vite 8 need not leave its native side for every other module. */
export const IMAGE_PATH: RegExp = new RegExp(String.raw`${EXTENSION_PATTERN}(?:[?#]|$)`, 'i')

/** An image of the project as it is referred to. */
export interface LocatedImage extends ImageReference {
  /** Fragment with its `#`, or empty. */
  readonly hash: string
}

/**
 * Describes what the plugins of one `pixpress()` share: Vite's configuration, the session, and the way from URLs to
 * files.
 */
export interface ViteProject {
  readonly config: ResolvedConfig
  readonly session: Session
  /** Tells whether images are answered by the dev server, at request, instead of being emitted. */
  readonly isServed: boolean
  readonly sources: EmittedSources
  /** Digests of images that were emitted here; `emit-image.ts` has them. */
  readonly emitted: Set<string>
  /** Images that a reference wants as they are, or that another plugin's query is for. Absolute paths. */
  readonly leftAlone: Set<string>
  /** Images of the public folder that are shown by a converted copy. Absolute paths. */
  readonly shownCopies: Set<string>
  /** For hooks to which Vite gives no context to warn with. */
  readonly warn: Warn
  /** The image that the id of a module stands for, if there is such a file: that shows when it is read. */
  locateId(id: string): Promise<LocatedImage | undefined>
  /** The image that a URL in CSS or in `new URL()` stands for, resolved as Vite does there: aliases, packages, root. */
  locate(url: string, importer: string): Promise<LocatedImage | undefined>
  /** The image of the public folder that a URL from the root stands for; absolute path. */
  locatePublic(url: string): Promise<string | undefined>
  /** The image that a URL in HTML stands for: Vite only knows relative and root paths there. */
  locateInHtml(url: string, importer: string): Promise<LocatedImage | undefined>
}

/** Describes what is configured of a build: Vite 5 has one configuration, later ones one for each environment. */
export type BuildConfig = Pick<ResolvedConfig, 'root' | 'publicDir' | 'build'>

/** A hook's context as far as it tells which build it is for. */
export interface BuildContext {
  /** Not before Vite 6. */
  readonly environment?: { readonly config: BuildConfig }
}

/** Returns the configuration of the environment that is built, or Vite's own if there are no environments (Vite 5). */
export function buildConfig({ config }: ViteProject, { environment }: BuildContext): BuildConfig {
  return environment?.config ?? config
}

/** Holds the project once Vite has resolved its configuration. */
export interface ProjectHolder {
  readonly current: ViteProject
  readonly isResolved: boolean
  /** The browsers that the project itself compiles its scripts for: Vite's default is not among them. */
  readonly targets: readonly string[]
  /** Reads the targets, before Vite fills in its default. */
  readTargets(config: UserConfig): void
  resolve(config: ResolvedConfig): void
}

/**
 * Creates a holder, which opens the session as soon as Vite has resolved its configuration. Reading `current` earlier
 * throws `INTERNAL`.
 * @param pages the holder of the pages that a worker belongs to: both name the same images
 */
export function createProjectHolder(options: Options, pages?: ProjectHolder): ProjectHolder {
  let project: ViteProject | undefined
  let targets: readonly string[] = []
  return {
    get targets() {
      return pages?.targets ?? targets
    },
    readTargets(config) {
      targets = targetsOf(config)
    },
    get current() {
      if (project === undefined) throw new PixpressError('INTERNAL', 'Vite has not resolved its configuration yet.')
      return project
    },
    get isResolved() {
      return project !== undefined
    },
    resolve(config) {
      const given = isTested(config) ? UNTOUCHED : options
      project = createProject(config, openSession(given, config.root, this.targets, config.command === 'serve'))
    },
  }
}

/** Plugins of test runners that serve the modules of tests with Vite. */
const TEST_RUNNER = /^(?:vitest|cypress|playwright)(?::|$)/

/** Options with which every image is left to Vite. */
const UNTOUCHED: Options = { exclude: '**', publicDir: false, report: false }

/** Tells whether a test runner asks: snapshots hold the URLs of Vite, and no test waits for an encoder. */
const isTested = ({ plugins }: ResolvedConfig): boolean => plugins.some(({ name }) => TEST_RUNNER.test(name))

/** The browsers of pages, in builds for a server as well: both name the same images. */
const targetsOf = ({ environments, build }: UserConfig): readonly string[] =>
  targetsIn(environments?.['client']?.build?.target ?? build?.target)

function createProject(config: ResolvedConfig, session: Session): ViteProject {
  const { root, publicDir } = config
  const isServed = config.command === 'serve'
  const warn: Warn = (message) => config.logger.warn(`[pixpress] ${message}`)
  // The resolver that Vite itself uses for CSS and `new URL()`.
  const resolve = config.createResolver({ extensions: [], mainFields: [], tryIndex: false, preferRelative: true })
  const resolveBeside = createResolveBeside(config)
  const leftAlone = new Set<string>()

  async function isPublic(urlPath: string): Promise<boolean> {
    return (
      publicDir !== '' && urlPath.startsWith('/') && isFile(session.files, path.join(publicDir, decodePath(urlPath)))
    )
  }

  async function image(file: string, text: string, hash: string): Promise<LocatedImage | undefined> {
    if (!path.isAbsolute(file) || !session.matches(file)) return undefined
    const query = readQuery(text)
    if (!query.isOwn || query.original) leftAlone.add(path.normalize(file))
    if (!query.isOwn) noteNearQuery(session, { file, query }, warn)
    return query.isOwn && (await isFile(session.files, file)) ? { file: path.normalize(file), query, hash } : undefined
  }

  async function locateRemote(url: string): Promise<LocatedImage | undefined> {
    // Dev servers leave images of other servers to these.
    const remote = isServed ? undefined : await session.remote.locate(url, warn)
    return remote && image(remote.file, remote.query, remote.hash)
  }

  return {
    config,
    session,
    sources: createEmittedSources(root),
    emitted: new Set(),
    leftAlone,
    shownCopies: new Set(),
    isServed,
    warn,
    async locateId(id) {
      const { path: file, query: text, hash } = splitUrl(id)
      if (!path.isAbsolute(file) || !session.matches(file)) return undefined
      const query = await readImport(session, file, text)
      if (!query.isOwn || query.original) leftAlone.add(path.normalize(file))
      if (!query.isOwn) return undefined
      // A path below the root is no URL path, for which Vite's `/logo.png` of `public/` would have to be asked after.
      if (!file.startsWith(`${root}/`) && (await isPublic(file))) return undefined
      return { file: path.normalize(file), query, hash }
    },
    async locate(url, importer) {
      const { path: urlPath, query, hash } = splitUrl(url)
      if (isExternal(url)) return locateRemote(url)
      if (!IMAGE_PATH.test(urlPath) || (await isPublic(urlPath))) return undefined
      const [decoded, from] = [decodePath(urlPath), splitUrl(importer).path]
      const id = resolveBeside(decoded, from) ?? (await resolve(decoded, from))
      return id === undefined ? undefined : image(splitUrl(id).path, query, hash)
    },
    async locatePublic(url) {
      const { path: urlPath } = splitUrl(url)
      if (isExternal(url) || !IMAGE_PATH.test(urlPath) || !(await isPublic(urlPath))) return undefined
      const file = path.join(publicDir, decodePath(urlPath))
      return session.matches(file) ? file : undefined
    },
    async locateInHtml(url, importer) {
      const { path: urlPath, query, hash } = splitUrl(url)
      if (isExternal(url)) return locateRemote(url)
      if (!IMAGE_PATH.test(urlPath) || (await isPublic(urlPath))) return undefined
      const folder = urlPath.startsWith('/') ? root : path.dirname(importer)
      return image(path.join(folder, decodePath(urlPath)), query, hash)
    },
  }
}
