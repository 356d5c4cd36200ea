import type { Compiler, RuleSetRule } from '@rspack/core'
import { targetsIn } from '../../session/options/auto-formats.ts'
import { openSession } from '../../session/registry.ts'
import type { Session } from '../../session/session.ts'
import { createAdapter } from '../adapter/adapter.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { extendCacheVersion, keepCacheInMemory } from '../webpack-like/cache-version.ts'
import { requireVersion } from '../adapter/required-version.ts'
import { PLUGIN_NAME } from '../webpack-like/compiler.ts'
import type { CompilerLike } from '../webpack-like/compiler.ts'
import { defaultRules } from '../webpack-like/default-rules.ts'
import { IMAGE_FILE } from '../../base/paths.ts'
import { compilerFiles } from '../webpack-like/compiler-files.ts'

import { isServable, serveLazyImages } from '../webpack-like/dev-server.ts'
import { compressEmittedImages } from '../webpack-like/emitted-images.ts'
import { withLoaderBefore } from '../webpack-like/file-loaders.ts'
import { insideRules, noteHolder } from '../webpack-like/inside-rules.ts'
import { createImageBuild } from '../webpack-like/image-build.ts'
import type { ImageBuild } from '../webpack-like/image-build.ts'
import { followBuilds } from '../webpack-like/lifecycle.ts'
import { attachBuild } from '../webpack-like/loader-context.ts'
import { IMAGE_LOADER, MODULE_LOADER } from '../webpack-like/loader-paths.ts'
import { LAZY_PATH } from '../webpack-like/names.ts'
import { tellOfFramework } from '../webpack-like/frameworks.ts'
import { restoreSourceNames } from '../webpack-like/source-names.ts'
import { MODULE_NAME, nameRequest } from './name-request.ts'
import type { Naming } from './name-request.ts'
import { limitOf, rulesOfSources } from './rules-of-sources.ts'
import type { SourcesOfNames } from './rules-of-sources.ts'
import { STORED_PATH, storedBase } from './stored-path.ts'

/** Bytes: Rspack's own limit. */
const DEFAULT_MAX_SIZE = 8096

/**
 * Rspack: an image is named before it is resolved (`beforeResolve` gives the request a match resource, the only name
 * that Rspack takes over in every case) and encoded when its module is built (a loader, bytes → bytes). So name, MIME
 * type, size limits and hashes are all those of the result.
 *
 * Pages of the built-in `HtmlRspackPlugin` are not modules: images in its templates stay as they are.
 * html-webpack-plugin with html-loader makes them modules.
 */
export const rspack: Adapter = createAdapter('rspack', (options) => [
  {
    name: PLUGIN_NAME,
    rspack(compiler) {
      const isServed = process.env.WEBPACK_SERVE === 'true'
      const session = openSession(options, compiler.context, targetsIn(compiler.options.target), isServed)
      attachTo(compiler, session, { isServed, isLazy: false })
      tellOfFramework(compiler as unknown as CompilerLike, session)
    },
  },
])

/** Describes what is known of a compiler's dev server before its first build. */
export interface Serving {
  /** Tells whether one asked for the build. */
  readonly isServed: boolean
  /** Tells whether it answers for images that are not encoded yet. One of `devServer` says so later. */
  readonly isLazy: boolean
}

/** Has a compiler of Rspack, whoever made it, compress the images of its builds. */
export function attachTo(compiler: Compiler, shared: Session, { isServed, isLazy }: Serving): void {
  requireVersion('Rspack', (compiler.webpack as typeof compiler.webpack | undefined)?.rspackVersion)
  const like = compiler as unknown as CompilerLike
  // Without this option Rspack reads the disk itself, whatever file system the compiler has.
  const session = like.options.experiments?.useInputFileSystem ? shared.withFiles(compilerFiles(like)) : shared
  let rules: readonly unknown[] = []
  const build = createImageBuild(session, () => ({ ...like.options, module: { ...like.options.module, rules } }))
  const sources = new Map<string, string>()
  const sizes = new Map<string, number>()
  const naming: Naming = { build, sources, sizes, context: compiler.context, isServed, rules: () => rules }
  extendCacheVersion(like.options, build.identity)
  // Rspack does not resolve again what it takes from its disk, so nobody would look whether the objects are still
  // there.
  if (session.options.store !== undefined && !isServed) keepCacheInMemory(like.options)
  // Sources that stand in for missing results must not be found again.
  if (session.options.cache.mode === 'frozen') keepCacheInMemory(like.options)
  const serveLazily = (): void => {
    if (!isServable(like.options)) return
    build.isLazy = true
    // Rspack reads its options when the first build starts. Modules with lazy URLs must not be found by other builds.
    extendCacheVersion(like.options, 'serve')
  }
  if (isLazy) serveLazily()
  else serveLazyImages(like.options, session, serveLazily)
  compiler.hooks.afterEnvironment.tap(PLUGIN_NAME, () => {
    // Every plugin has added its rules by now.
    rules = compiler.options.module.rules
    addRules(compiler, build, { fileOf: (name) => sources.get(name), sizeOf: (name) => sizes.get(name) })
  })
  compiler.hooks.normalModuleFactory.tap(PLUGIN_NAME, (factory) => {
    factory.hooks.beforeResolve.tapPromise(PLUGIN_NAME, (data) => {
      noteHolder(build, data.request, data.contextInfo.issuer)
      return nameRequest(data, factory, naming)
    })
  })
  compiler.hooks.compilation.tap(PLUGIN_NAME, (compilation) => {
    const { loader } = compiler.webpack.NormalModule.getCompilationHooks(compilation)
    loader.tap(PLUGIN_NAME, (context) => attachBuild(context, build))
  })
  restoreSourceNames(like, session, (file) => sources.get(file))
  compressEmittedImages(like, build)
  followBuilds(like, shared)
}

function addRules(compiler: Compiler, { identity, session }: ImageBuild, sources: SourcesOfNames): void {
  const { module } = compiler.options
  const { store } = session.options
  const use = (loader: string, extra = ''): RuleSetRule['use'] => [{ loader, options: `build=${identity}${extra}` }]
  const maxSize = limitOf({ parser: module.parser.asset }) ?? DEFAULT_MAX_SIZE
  const asModule = { test: MODULE_NAME, type: 'javascript/auto' }
  const emitting = withLoaderBefore(module.rules, {
    loader: IMAGE_LOADER,
    options: `build=${identity}&use=typed&emits=true`,
  })
  module.rules = [
    ...rulesOfSources([...(defaultRules(module.rules) as RuleSetRule[]), ...emitting], sources, maxSize),
    { test: LAZY_PATH, type: 'asset/resource', generator: { emit: false, filename: '[path][name][ext]' } },
    ...(store === undefined ? [] : [storedImages(storedBase(store))]),
    { test: IMAGE_FILE, enforce: 'post', use: use(IMAGE_LOADER) },
    ...(insideRules(identity) as RuleSetRule[]),
    { ...asModule, dependency: { not: 'url' }, use: use(MODULE_LOADER) },
    { ...asModule, dependency: 'url', use: use(MODULE_LOADER, '&url=true') },
  ]
}

/** Images in a store are nowhere emitted. */
function storedImages(publicPath: string): RuleSetRule {
  return { test: STORED_PATH, type: 'asset/resource', generator: { emit: false, filename: '[name][ext]', publicPath } }
}
