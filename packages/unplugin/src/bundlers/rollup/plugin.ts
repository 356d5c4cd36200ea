import path from 'node:path'
import { deliverExpression } from '../../modules/deliver.ts'
import { distinctName } from '../../modules/distinct-name.ts'
import { withNamedFile } from '../../modules/failure.ts'
import { isNearQuery, noteNearQuery, readImport, readQuery } from '../../modules/reference.ts'
import { renderImport } from '../../modules/render-import.ts'
import { isShownAlone } from '../../modules/shown-drawing.ts'
import type { ModuleImages } from '../../modules/render-import.ts'
import { isFile } from '../../base/files.ts'
import type { FinishedImage } from '../../session/plan/images.ts'
import type { Options } from '../../session/options/options.ts'
import { IMAGE_FILE, IMAGE_ID, relativePath } from '../../base/paths.ts'
import { KEPT_URL, isKeptUrl, keptUrlModule, resolveRemoteImport } from '../../modules/remote-import.ts'
import { targetsIn } from '../../session/options/auto-formats.ts'
import { openSession } from '../../session/registry.ts'
import { createAdapter } from '../adapter/adapter.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { wholeBuild } from '../adapter/whole-build.ts'
import type { Session } from '../../session/session.ts'
import type { Context, OutputFile, Resolution, ResolveContext, RollupLikePlugin } from './hooks.ts'
import { resolveShown } from './shown-drawings.ts'
import { lightenJson } from './inside.ts'
import type { JsonHook } from './inside.ts'
import { rewriteNewUrls } from './new-urls.ts'
import { browserUrl, withoutTimings } from './rolldown-only.ts'
import { MAY_HOLD_CACHE_URL, emitStyleImages } from './stylesheets.ts'
import type { EmitFile } from './stylesheets.ts'
import { watchedFiles } from '../../session/plan/focus.ts'

/** Options of the plugin for Rollup and Rolldown. */
export interface RollupLikeOptions extends Options {
  /**
   * Holds what stands before the names of images in the output: `/static/`, `https://cdn.example.com/`. Default: none;
   * then their URLs are made at run time, relative to the script's own.
   */
  publicPath?: string
}

/** The adapter for Rollup. */
export const rollup: Adapter<RollupLikeOptions> = createAdapter('rollup', (options: RollupLikeOptions) => {
  return createPlugins(options, 'rollup').map(({ name, ...hooks }) => ({ name, rollup: hooks }))
})

/** The adapter for Rolldown. */
export const rolldown: Adapter<RollupLikeOptions> = createAdapter('rolldown', (options: RollupLikeOptions) => {
  return createPlugins(options, 'rolldown').map(({ name, ...hooks }) => ({ name, rolldown: hooks }))
})

/** Images with a query are resolved here, and those of other servers. */
const RESOLVED = new RegExp(`${IMAGE_ID.source}|^https?:`, 'i')

const LOADED = new RegExp(`${IMAGE_ID.source}|${KEPT_URL.source}`, 'i')

/** The state of one plugin instance. */
interface RollupBuild {
  session: Session
  /** Tells whether the report of this build was given: further outputs have the same images. */
  isReported: boolean
  /** The build's identity; `undefined` where modules may come from a cache. */
  id: string | undefined
}

/**
 * Rollup and Rolldown: images are loaded as modules that emit the processed bytes under the bundler's own asset naming
 * and export the URL; `new URL('…', import.meta.url)` is rewritten to the URL of an emitted asset. Neither knows
 * stylesheets: for those there is `unplugin-pixpress/postcss`, whose files are emitted here.
 */
function createPlugins(
  { publicPath, ...options }: RollupLikeOptions,
  bundler: 'rollup' | 'rolldown',
): (RollupLikePlugin | { name: string; transform: JsonHook })[] {
  let build: RollupBuild | undefined
  let targets: readonly string[] = []
  const current = (): RollupBuild => build!
  const emitter = createEmitter(current, bundler)
  const plugin: RollupLikePlugin = {
    name: 'pixpress',
    ...(bundler === 'rolldown'
      ? {
          options(given: object) {
            targets = targetsIn((given as { transform?: { target?: unknown } }).transform?.target)
            return withoutTimings(given)
          },
        }
      : {
          // Its images are not asked for: the build has modules of an earlier one.
          shouldTransformCachedModule() {
            current().id = undefined
            return null
          },
        }),
    buildStart(input) {
      // Only Rolldown has such an option.
      const cwd = 'cwd' in input && typeof input.cwd === 'string' ? input.cwd : process.cwd()
      const session = openSession(options, cwd, targets)
      const id = isOnce(this) ? wholeBuild(bundler, 'input' in input ? input.input : undefined) : undefined
      build = { session, isReported: false, id }
    },
    resolveId: {
      filter: { id: RESOLVED },
      async handler<R extends Resolution>(
        this: ResolveContext<R>,
        source: string,
        importer: string | undefined,
        { isEntry }: { isEntry: boolean },
      ) {
        if (/^https?:/i.test(source)) {
          const warn = (message: string): void => this.warn(message)
          const id = await naming(resolveRemoteImport(current().session, source, warn))
          return id === undefined ? null : ({ id, external: false } as R)
        }
        return resolveImage(this, current().session, { source, importer, isEntry })
      },
    },
    load: {
      filter: { id: LOADED },
      async handler(id) {
        if (isKeptUrl(id)) {
          return { code: keptUrlModule(id), map: { mappings: '' }, moduleSideEffects: false, moduleType: 'js' }
        }
        const code = await loadImage(this, current().session, id, emitter.expression)
        return code === undefined ? null : { code, map: { mappings: '' }, moduleSideEffects: false, moduleType: 'js' }
      },
    },
    transform: {
      filter: { code: 'import.meta.url' },
      async handler(code, id) {
        const { file } = splitId(id)
        if (!path.isAbsolute(file)) return null
        const parts = { session: current().session, publicPath, expressionOf: emitter.expression }
        const text = await naming(rewriteNewUrls(parts, this, code, file))
        return text === undefined ? null : { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
      },
    },
    resolveFileUrl(file) {
      if (!emitter.emitted.has(file.referenceId)) return null
      if (publicPath !== undefined) return JSON.stringify(publicPath + encodeURI(file.fileName))
      return bundler === 'rolldown' ? browserUrl(file) : null
    },
    renderChunk: {
      filter: { code: MAY_HOLD_CACHE_URL },
      async handler(code) {
        if (!MAY_HOLD_CACHE_URL.test(code)) return null
        // A stylesheet that a script puts into the page has URLs relative to the page.
        const settings = { emit: emitterOf(this), urlOf: (name: string) => (publicPath ?? '') + name }
        const work = emitStyleImages(current().session, code, settings)
        const text = await naming(work)
        return text === undefined ? null : { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) }
      },
    },
    generateBundle: {
      order: 'post',
      async handler({ dir, file }, bundle) {
        const folder = path.resolve(dir ?? path.dirname(file ?? ''))
        await writeOutput(this, current(), { bundle, folder, publicPath })
      },
    },
    async buildEnd(error) {
      // A build may fail before it has a session. One that does not ends with its first output.
      if (error !== undefined) await build?.session.endBuild()
    },
  }
  return [plugin, { name: 'pixpress:json', transform: lightenJson(() => current().session) }]
}

/** Puts images into the output, and gives their URLs as JavaScript expressions. */
interface Emitter {
  /** References of the files that were emitted here. */
  readonly emitted: ReadonlySet<string>
  expression(context: Context, image: FinishedImage, inline?: boolean): Promise<string>
}

function createEmitter(current: () => RollupBuild, bundler: 'rollup' | 'rolldown'): Emitter {
  const emitted = new Set<string>()
  async function emit(context: Context, session: Session, image: FinishedImage): Promise<string> {
    const reference = context.emitFile({
      type: 'asset',
      name: await distinctName(session, image),
      originalFileName: relativePath(session.options.root, image.planned.file),
      source: image.data,
      // Rollup drops assets of modules that were shaken off; Rolldown has no such option.
      ...(bundler === 'rollup' && { needsCodeReference: true }),
    })
    emitted.add(reference)
    return `import.meta.ROLLUP_FILE_URL_${reference}`
  }
  return {
    emitted,
    expression(context, image, inline = false) {
      const { session } = current()
      return deliverExpression(session, image, { inline, emit: () => emit(context, session, image) })
    },
  }
}

/** The bundlers themselves look for a file whose name has the query in it, so images with a query are resolved here. */
async function resolveImage<R extends Resolution>(
  context: ResolveContext<R>,
  session: Session,
  { source, importer, isEntry }: { source: string; importer: string | undefined; isEntry: boolean },
): Promise<R | null> {
  const { file: specifier, query } = splitId(source)
  if (query === '' && importer !== undefined) return resolveShown(context, session, specifier, importer)
  if (query === '' || source.includes('\0')) return null
  // A function of the project may read words of its own in a query.
  const asked = readQuery(query)
  const isNear = isNearQuery(asked)
  if (session.options.defaultDirectives === undefined && !asked.isOwn && !isNear) return null
  const resolution = await context.resolve(specifier, importer, { skipSelf: true, isEntry })
  if (resolution === null || resolution.external !== false || !session.matches(resolution.id)) return null
  if (isNear) {
    const { id: file } = resolution
    // The bundlers find no such file, and say nothing but that.
    noteNearQuery(session, { file, query: asked, isImport: true }, (message) => context.warn(message))
    if (session.options.defaultDirectives === undefined) return null
  }
  return { ...resolution, id: resolution.id + query }
}

async function loadImage(
  context: Context,
  session: Session,
  id: string,
  expressionOf: Emitter['expression'],
): Promise<string | undefined> {
  const { file, query: text } = splitId(id)
  if (!session.matches(file)) return undefined
  const warn = (message: string): void => context.warn(message)
  const query = await readImport(session, file, text)
  noteNearQuery(session, { file, query, isImport: true }, warn)
  if (!query.isOwn || !(await isFile(session.files, file))) return undefined
  for (const each of await watchedFiles(session.files, file, query)) context.addWatchFile(each)
  const images: ModuleImages = {
    onRequest: false,
    place: async (_, __, finish) => expressionOf(context, await finish(), query.inline === true),
  }
  return naming(renderImport(session, { file, query, use: isShownAlone(text) ? 'picture' : 'content' }, images, warn))
}

interface WrittenOutput {
  readonly bundle: Record<string, OutputFile>
  /** Absolute path of the output folder. */
  readonly folder: string
  readonly publicPath: string | undefined
}

/** Emits the images of stylesheets. */
async function writeOutput(
  context: Context,
  build: RollupBuild,
  { bundle, folder, publicPath }: WrittenOutput,
): Promise<void> {
  const { session } = build
  const emit = emitterOf(context)
  for (const file of Object.values(bundle)) {
    if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
    const css = typeof file.source === 'string' ? file.source : Buffer.from(file.source).toString('utf8')
    const own = path.posix.dirname(file.fileName)
    const urlOf = (name: string): string =>
      publicPath === undefined ? path.posix.relative(own, name) : publicPath + name
    const text = await emitStyleImages(session, css, { emit, urlOf })
    if (text !== undefined) file.source = text.toString()
  }
  if (build.isReported) return
  build.isReported = true
  const files = Object.values(bundle).flatMap((file) =>
    file.type === 'asset' && IMAGE_FILE.test(file.fileName)
      ? [[file.fileName, Buffer.byteLength(file.source)] as const]
      : [],
  )
  session.leftAlone.output({ folder, files })
  await session.endBuild(build.id)
}

/** Tells whether nobody watches. */
function isOnce(context: unknown): boolean {
  const { meta } = context as { readonly meta?: { readonly watchMode?: boolean } }
  return meta?.watchMode === false
}

/** A `#` is a character like others in the paths of these bundlers. */
function splitId(id: string): { file: string; query: string } {
  const at = id.indexOf('?')
  return at === -1 ? { file: id, query: '' } : { file: id.slice(0, at), query: id.slice(at) }
}

/** Rolldown shows the message of an error alone. */
function naming<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw withNamedFile(error)
  })
}

function emitterOf(context: Context): EmitFile {
  return (asset) => context.getFileName(context.emitFile({ type: 'asset', ...asset }))
}
