import path from 'node:path'
import type { Compiler, ResolveData } from 'webpack'

import { notePlace } from '../../inspector/places.ts'
import { deliver } from '../../modules/deliver.ts'
import { noteLeftAlone, readQuery } from '../../modules/reference.ts'
import { bytesForLimit } from '../../session/plan/images.ts'
import type { FinishedImage } from '../../session/plan/images.ts'
import type { Options } from '../../session/options/options.ts'
import { targetsIn } from '../../session/options/auto-formats.ts'
import { openSession } from '../../session/registry.ts'
import { extendCacheVersion, hasPersistentCache, keepCacheInMemory } from '../webpack-like/cache-version.ts'
import { createAdapter } from '../adapter/adapter.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { PLUGIN_NAME } from '../webpack-like/compiler.ts'
import type { CompilerLike } from '../webpack-like/compiler.ts'
import { requireVersion } from '../adapter/required-version.ts'
import { defaultRules } from '../webpack-like/default-rules.ts'
import { IMAGE_FILE } from '../../base/paths.ts'
import { compilerFiles } from '../webpack-like/compiler-files.ts'

import { isServable, serveLazyImages } from '../webpack-like/dev-server.ts'
import { compressEmittedImages } from '../webpack-like/emitted-images.ts'
import { FILE_LOADER } from '../webpack-like/file-loaders.ts'
import { insideRules, noteHolder } from '../webpack-like/inside-rules.ts'
import { createImageBuild } from '../webpack-like/image-build.ts'
import type { ImageBuild } from '../webpack-like/image-build.ts'
import { followBuilds } from '../webpack-like/lifecycle.ts'
import { expectNearQuery } from '../webpack-like/near-queries.ts'
import { attachBuild } from '../webpack-like/loader-context.ts'
import { IMAGE_LOADER, MODULE_LOADER } from '../webpack-like/loader-paths.ts'
import type { ImageLoaderOptions } from '../webpack-like/loader-context.ts'
import { lazyPath } from '../webpack-like/names.ts'
import { requestKindOf, nameQuery } from '../webpack-like/query.ts'
import { escapePath, parseResource } from '../webpack-like/resource.ts'
import { resolveRemoteRequest } from './remote-requests.ts'
import { tellOfFramework } from '../webpack-like/frameworks.ts'
import { restoreSourceNames } from '../webpack-like/source-names.ts'

/** Bytes: webpack's own limit (`lib/config/defaults.js`). */
const DEFAULT_MAX_SIZE = 8096

type NormalModuleFactory = Parameters<Parameters<Compiler['hooks']['normalModuleFactory']['tap']>[1]>[0]
type CreateData = ResolveData['createData']

/**
 * webpack: an image is named when it is resolved (`afterResolve` sets the module's match resource, after the project's
 * rules were applied to the file itself) and encoded when its module is built (a loader, bytes → bytes). So name, MIME
 * type, size limits and hashes are all those of the result, and survive webpack's own cache.
 */
export const webpack: Adapter = createAdapter('webpack', (options) => [
  { name: PLUGIN_NAME, webpack: (compiler) => apply(compiler, options) },
])

function apply(compiler: Compiler, options: Options): void {
  requireVersion('webpack', (compiler.webpack as typeof compiler.webpack | undefined)?.version)
  const like = compiler as unknown as CompilerLike
  const isServed = process.env.WEBPACK_SERVE === 'true'
  const shared = openSession(options, compiler.context, targetsIn(compiler.options.target), isServed)
  const session = shared.withFiles(compilerFiles(like))
  const build = createImageBuild(session, () => like.options)
  const sources = new Map<string, string>()
  extendCacheVersion(like.options, build.identity + (isServed ? '-serve' : ''))
  // Sources that stand in for missing results must not be found again.
  if (session.options.cache.mode === 'frozen') keepCacheInMemory(like.options)
  // Other plugins may add rules until then.
  compiler.hooks.afterEnvironment.tap(PLUGIN_NAME, () => addRules(compiler, build))
  serveLazyImages(like.options, session, () => {
    // Modules with lazy URLs must not be found again by a build that has no server.
    build.isLazy = (isServed || !hasPersistentCache(like.options)) && isServable(like.options)
  })
  compiler.hooks.normalModuleFactory.tap(PLUGIN_NAME, (factory) => {
    factory.hooks.beforeResolve.tapPromise(PLUGIN_NAME, async (data) => {
      await resolveRemoteRequest(session, data, isServed)
      noteHolder(build, data.request, data.contextInfo.issuer)
    })
    factory.hooks.afterResolve.tapPromise(PLUGIN_NAME, (data) => nameImage(data, factory, { build, sources, isServed }))
  })
  compiler.hooks.compilation.tap(PLUGIN_NAME, (compilation) => {
    const { loader } = compiler.webpack.NormalModule.getCompilationHooks(compilation)
    loader.tap(PLUGIN_NAME, (context) => attachBuild(context, build))
  })
  restoreSourceNames(like, session, (file) => sources.get(file))
  compressEmittedImages(like, build)
  tellOfFramework(like, session)
  followBuilds(like, shared)
}

function addRules(compiler: Compiler, build: ImageBuild): void {
  const { rules } = compiler.options.module
  rules.unshift(...defaultRules(rules))
  rules.push(...insideRules(build.identity))
  rules.push({
    test: IMAGE_FILE,
    resource: (file) => build.session.matches(file),
    resourceQuery: (query) => requestKindOf(readQuery(query)) === 'directives',
    dependency: { not: ['url'] },
    type: 'javascript/auto',
    use: [{ loader: MODULE_LOADER, ...loaderOptions({ build: build.identity }) }],
  })
}

interface Naming {
  readonly build: ImageBuild
  /** The source of every path that a module is named by. */
  readonly sources: Map<string, string>
  /** Tells whether a dev server asked for the build. */
  readonly isServed: boolean
}

/** Types of modules whose files go into the output, or are inlined. */
const ASSETS: ReadonlySet<string> = new Set(['asset', 'asset/resource', 'asset/inline'])

async function nameImage(
  { createData, contextInfo, request }: ResolveData,
  factory: NormalModuleFactory,
  { build, sources, isServed }: Naming,
): Promise<void> {
  const { resource, type, loaders = [] } = createData
  if (resource === undefined || createData.matchResource !== undefined) return
  const { file, query: text, fragment } = parseResource(resource)
  const query = readQuery(text)
  const kind = requestKindOf(query)
  if (!build.session.matches(file)) return
  if (kind === 'foreign') {
    // The loader can tell of it as a warning of this module.
    const isAlone = loaders.length === 0 && ASSETS.has(type ?? '')
    if (isAlone) noteLeftAlone(build.session, { file, query })
    if (isAlone && expectNearQuery(build, file, query, contextInfo.issuer)) addLoader(createData, build, {})
    return
  }
  notePlace(build.session, file, contextInfo.issuer)
  if (loaders.some(({ loader }) => loader === MODULE_LOADER)) {
    // The project's own loaders for images would get a module to work on.
    createData.loaders = loaders.filter(({ loader }) => loader === MODULE_LOADER)
    createData.request = `${MODULE_LOADER}??${loaderOptions({ build: build.identity }).ident}!${resource}`
    return
  }
  const emitting = loaders.findIndex(({ loader }) => FILE_LOADER.test(loader))
  if (emitting !== -1) return addLoader(createData, build, { use: 'typed', emits: 'true' }, emitting + 1)
  if (!ASSETS.has(type ?? '')) return
  const use = await build.useOf(contextInfo.issuer, file, parseResource(request).file)
  const isLazy = build.isLazy && type !== 'asset/inline' && kind !== 'original' && loaders.length === 0
  const image = await build.resolve(file, query, { use, isLazy }).catch(() => {
    // The loader runs into the same, and can tell it as an error of this module.
    return undefined
  })
  if (image !== undefined) {
    const named = path.join(path.dirname(file), image.name)
    createData.matchResource = escapePath(named) + nameQuery(query) + fragment
    sources.set(named, file)
  }
  // The results of other loaders are not known yet.
  if (!isServed && image !== undefined && loaders.length === 0)
    await storeImage(createData, factory, () => build.finish(file, query, use), build)
  if (kind === 'original') return
  if (createData.type === 'asset') limitBySource(createData, factory, build)
  const isPutOff = isLazy && image !== undefined
  addLoader(createData, build, { ...(use !== 'content' && { use }), ...(isPutOff && { lazy: image.id }) })
  // The dev server answers for it.
  if (isPutOff) deliverFrom(createData, factory, { filename: lazyPath(image.id, image.name) })
}

/** Puts an image into the store, and refers to it there. Images that webpack makes data of stay data. */
async function storeImage(
  createData: CreateData,
  factory: NormalModuleFactory,
  finish: () => Promise<FinishedImage>,
  { session }: ImageBuild,
): Promise<void> {
  if (session.options.store === undefined || createData.type === 'asset/inline') return
  const image = await finish().catch(() => {
    // The loader runs into the same, and can tell it as an error of this module.
    return undefined
  })
  if (image === undefined) return
  // Webpack itself emits images that are not uploaded, or makes data of them.
  const delivered = await deliver(session, image, { local: isInlined(createData, image), emit: () => undefined })
  if (delivered.by === 'emit') return
  const { url } = delivered
  const name = url.lastIndexOf('/') + 1
  // The names of a store have no brackets, which would be placeholders.
  deliverFrom(createData, factory, { publicPath: url.slice(0, name), filename: url.slice(name) })
}

/** webpack's rule of what of type `asset` becomes a `data:` URL. */
function isInlined({ type, parser, resource }: CreateData, image: FinishedImage): boolean {
  if (type !== 'asset') return false
  return isBelow(conditionOf(parser), Buffer.from(bytesForLimit(image)), { filename: resource })
}

type InlineCondition = boolean | { maxSize?: number } | ((data: Buffer, context: object) => boolean)

const conditionOf = (parser: unknown): InlineCondition =>
  (parser as { dataUrlCondition?: InlineCondition }).dataUrlCondition ?? false

function isBelow(condition: InlineCondition, data: Buffer, context: object): boolean {
  if (typeof condition === 'function') return condition(data, context)
  return typeof condition === 'object' ? data.length <= (condition.maxSize ?? DEFAULT_MAX_SIZE) : condition
}

/** Has webpack ask its rule about the bytes that the loader was given. */
function limitBySource(createData: CreateData, factory: NormalModuleFactory, { sources }: ImageBuild): void {
  const condition = conditionOf(createData.parser)
  createData.parser = factory.getParser('asset', {
    dataUrlCondition: (data: Buffer, context: { module: object }) =>
      isBelow(condition, sources.get(context.module) ?? data, context),
  })
}

/** An asset that is nowhere emitted, at a URL elsewhere. */
function deliverFrom(
  createData: CreateData,
  factory: NormalModuleFactory,
  place: { filename: string; publicPath?: string },
): void {
  const options = { ...createData.generatorOptions, emit: false, ...place }
  createData.type = 'asset/resource'
  createData.settings = { ...createData.settings, type: 'asset/resource' }
  createData.parser = factory.getParser('asset/resource', {})
  createData.generator = factory.getGenerator('asset/resource', options)
  createData.generatorOptions = options
}

/**
 * Puts the loader among those of the project, and into the module's identity.
 * @param position in the list, whose last entry runs first. Default: after all others
 */
function addLoader(
  createData: CreateData,
  build: ImageBuild,
  extra: Omit<ImageLoaderOptions, 'build'>,
  position = 0,
): void {
  const options = loaderOptions({ build: build.identity, ...extra })
  const loaders = createData.loaders ?? []
  createData.loaders = loaders.toSpliced(position, 0, { loader: IMAGE_LOADER, ...options, type: 'module' })
  // Where it stands in the text makes no difference: what runs is the list.
  createData.request = `${IMAGE_LOADER}??${options.ident}!${createData.request}`
}

/** Options of a loader, and the name that stands for them in the module's identity. */
function loaderOptions(options: ImageLoaderOptions): { options: Record<string, string>; ident: string } {
  return { options: { ...options }, ident: `pixpress-${Object.values(options).join('-')}` }
}
