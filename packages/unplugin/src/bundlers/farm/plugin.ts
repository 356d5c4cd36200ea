import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import type { CompilationContext, JsPlugin, ResolvedUserConfig, Server } from '@farmfe/core'
import { AUTO, IMAGE_EXTENSIONS } from '@pixpress/core/internal'
import { IMAGE_ID } from '../../base/paths.ts'
import { compressCopies } from '../../copies/copied-images.ts'
import type { Options } from '../../session/options/options.ts'
import { createAdapter } from '../adapter/adapter.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { wholeBuild } from '../adapter/whole-build.ts'
import { replayCachedModules } from './cached-modules.ts'
import { createFarmMiddleware } from './dev-server.ts'
import { offerInFarm } from './alternatives.ts'
import { transformJson, withSmallerPictures } from './inside.ts'
import { loadImage } from './modules.ts'
import { rewriteFarmPage } from './pages.ts'
import { CALLER, noteImporter } from './places.ts'
import { hasHotUpdates, readProject } from './project.ts'
import type { FarmHook, FarmProject } from './project.ts'
import { rewriteReferences } from './module-references.ts'

/** In the syntax of Rust; matched against the path with its query. */
const IMAGE_MODULE = `(?i)${IMAGE_ID.source}`

/** Types of modules that may have a `new URL()`, which Farm looks up in its output by itself. */
const SCRIPTS = ['js', 'jsx', 'ts', 'tsx']

/** Before Farm's own plugins, of which the one for `?raw`, `?url` and `?inline` has 101. */
const PRIORITY = 1000

/**
 * Farm: images are loaded as modules that emit the processed bytes and export their URL; pages are rewritten while they
 * are modules. A dev server encodes an image when a browser asks for it.
 */
export const farm: Adapter = createAdapter('farm', (options) => {
  return createPlugins(options).map(({ name, ...hooks }) => ({ name, farm: hooks }))
})

function createPlugins(options: Options): JsPlugin[] {
  let project: FarmProject
  let isServed = false
  const hook = (context: CompilationContext | undefined): FarmHook => ({
    project,
    isServed,
    // The types leave it open, but Farm always passes it.
    context: context!,
  })
  const plugin: JsPlugin = {
    name: 'pixpress',
    priority: PRIORITY,
    async configResolved(config) {
      project = await readProject(config, options)
      addAssetTypes(config, IMAGE_EXTENSIONS)
      keepCachesApart(config, project, options)
      const server = config.server
      // `farm watch` has a server object, but no hot updates: it writes to the disk, where the bytes have to be real.
      if (server === undefined || !hasHotUpdates(config) || server.writeToDisk === true) return
      server.middlewares = [
        (running: Server) => {
          isServed = running.getCompiler() != null
          return createFarmMiddleware(project, running, (message) => running.logger.warn(message))
        },
        ...(server.middlewares ?? []),
      ]
    },
    resolve: {
      filters: { sources: [IMAGE_MODULE], importers: ['.*'] },
      async executor(reference, context, about) {
        if (isServed && about?.caller !== CALLER) await noteImporter(hook(context), reference)
        return null
      },
    },
    load: {
      filters: { resolvedPaths: [IMAGE_MODULE] },
      executor: async (module, context) => loadImage(hook(context), module),
    },
    transform: {
      filters: { moduleTypes: ['html', 'css', 'json', ...(options.store === undefined ? [] : SCRIPTS)] },
      async executor(module, context) {
        if (module.moduleType === 'json') return transformJson(hook(context), module)
        const lighter = await withSmallerPictures(hook(context), module)
        if (module.moduleType !== 'html') return rewriteReferences(hook(context), module, lighter)
        return { content: await rewriteFarmPage(hook(context), { ...module, content: lighter }) }
      },
    },
    finish: { executor: async (_, context) => endBuild(hook(context)) },
    updateFinished: {
      async executor() {
        await project.generation?.save()
        await project.session.endBuild()
      },
    },
  }
  return mayOffer(options) ? [plugin, offerInFarm(() => (isServed ? undefined : project))] : [plugin]
}

async function endBuild({ project, isServed, context }: FarmHook): Promise<void> {
  const { session, copiesPublicDir, generation, publicDir, outDir, isForNode } = project
  if (!isServed) await replayCachedModules(project, context)
  await generation?.save()
  if (copiesPublicDir && session.options.publicDir) {
    // Farm's own copying comes after all hooks, and leaves alone whatever is there (`copyPublicDirectory`).
    if (existsSync(publicDir)) await cp(publicDir, outDir, { recursive: true })
    await compressCopies(session, publicDir, outDir, (message) => context.warn(message))
  }
  // Images that Farm had in its cache were asked for again.
  const isWhole = !isServed && copiesPublicDir
  await session.endBuild(isWhole ? wholeBuild('farm', outDir, isForNode) : undefined)
}

/**
 * Tells whether pages and stylesheets may offer several types: Farm copies the whole output for a plugin that looks at
 * it.
 */
function mayOffer({ convert, overrides = [], fallback }: Options): boolean {
  return (fallback ?? [{ convert }, ...overrides].some((each) => each.convert === AUTO)) !== false
}

function addAssetTypes({ compilation }: ResolvedUserConfig, extensions: readonly string[]): void {
  if (compilation === undefined) return
  const { include = [], ...assets } = compilation.assets ?? {}
  compilation.assets = { ...assets, include: [...new Set([...include, ...extensions])] }
}

/**
 * Farm answers from its persistent cache without asking plugins, so whatever changes their answers must be part of its
 * key: the options, the images, and whether there is a server that URLs can point to.
 */
function keepCachesApart(config: ResolvedUserConfig, { generation, session }: FarmProject, options: Options): void {
  const { compilation } = config
  const cache = compilation?.persistentCache
  if (compilation === undefined || typeof cache !== 'object') return
  // Sources that stand in for missing results must not be found again.
  if (session.options.cache.mode === 'frozen') {
    compilation.persistentCache = false
    return
  }
  const { store, cache: kept, ...given } = options
  // Who shares results changes none of them.
  const folder = typeof kept === 'object' ? { ...kept, remote: undefined, mode: undefined } : kept
  const others = kept === undefined ? given : { ...given, cache: folder }
  // The URLs of a store follow from these members; other credentials change none.
  const location = store && [
    store.service,
    store.path,
    store.endpoint,
    store.baseUrl,
    'region' in store && store.region,
  ]
  const { fallback, covered, knowsWhere } = session.options
  const key = [
    others,
    location,
    generation?.id,
    hasHotUpdates(config),
    ...(fallback === false ? [] : [covered, knowsWhere]),
  ]
  const text = JSON.stringify(key, (_, value: unknown) => (value instanceof RegExp ? String(value) : value))
  cache.envs = { ...cache.envs, PIXPRESS: createHash('sha256').update(text).digest('hex') }
}
