import { fileURLToPath } from 'node:url'
import type { Compiler, RspackPluginInstance, RuleSetRule } from '@rspack/core'
import type { Options } from '../../core/options.ts'
import { openSession } from '../../core/registry.ts'
import { extendCacheVersion, keepCacheInMemory } from '../webpack-like/cache-version.ts'
import { PLUGIN_NAME } from '../webpack-like/compiler.ts'
import type { CompilerLike } from '../webpack-like/compiler.ts'
import { defaultRules, IMAGE_FILE } from '../webpack-like/default-rules.ts'
import { isServable, serveLazyImages } from '../webpack-like/dev-server.ts'
import { compressEmittedImages } from '../webpack-like/emitted-images.ts'
import { createImageBuild } from '../webpack-like/image-build.ts'
import type { ImageBuild } from '../webpack-like/image-build.ts'
import { LAZY_PATH } from '../webpack-like/lazy-path.ts'
import { followBuilds } from '../webpack-like/lifecycle.ts'
import { attachBuild } from '../webpack-like/loader-context.ts'
import { restoreSourceNames } from '../webpack-like/source-names.ts'
import { MODULE_NAME, nameRequest } from './name-request.ts'
import type { Naming } from './name-request.ts'
import { rulesOfSources } from './rules-of-sources.ts'
import { STORED_PATH, storedBase } from './stored-path.ts'

const IMAGE_LOADER = fileURLToPath(new URL('../webpack-like/image-loader.js', import.meta.url))
const MODULE_LOADER = fileURLToPath(new URL('../webpack-like/module-loader.js', import.meta.url))

/**
 * Rspack: an image is named before it is resolved (`beforeResolve` gives the request a match resource, the only name that
 * Rspack takes over in every case) and encoded when its module is built (a loader, bytes → bytes). So name, MIME type,
 * size limits and hashes are all those of the result.
 *
 * Pages of the built-in `HtmlRspackPlugin` are not modules: images in its templates stay as they are. html-webpack-plugin
 * with html-loader makes them modules.
 */
export function pixpress(options: Options = {}): RspackPluginInstance {
  return { name: PLUGIN_NAME, apply: (compiler) => apply(compiler, options) }
}

function apply(compiler: Compiler, options: Options): void {
  const like = compiler as unknown as CompilerLike
  const session = openSession(options, compiler.context)
  let rules: readonly unknown[] = []
  const build = createImageBuild(session, () => ({ ...like.options, module: { ...like.options.module, rules } }))
  const sources = new Map<string, string>()
  const naming: Naming = { build, sources, context: compiler.context, rules: () => rules }
  extendCacheVersion(like.options, build.identity)
  // What Rspack takes from its disk it does not resolve again, so nobody would look whether the objects are still there.
  if (session.options.store !== undefined && process.env.WEBPACK_SERVE !== 'true') keepCacheInMemory(like.options)
  serveLazyImages(like.options, session, () => {
    if (!isServable(like.options)) return
    build.isLazy = true
    // Rspack reads its options when the first build starts, which is later. Modules with lazy addresses must not be found by other builds.
    extendCacheVersion(like.options, 'serve')
  })
  compiler.hooks.afterEnvironment.tap(PLUGIN_NAME, () => {
    // Every plugin has added its rules by now.
    rules = compiler.options.module.rules
    addRules(compiler, build, sources)
  })
  compiler.hooks.normalModuleFactory.tap(PLUGIN_NAME, (factory) => {
    factory.hooks.beforeResolve.tapPromise(PLUGIN_NAME, (data) => nameRequest(data, factory, naming))
  })
  compiler.hooks.compilation.tap(PLUGIN_NAME, (compilation) => {
    const { loader } = compiler.webpack.NormalModule.getCompilationHooks(compilation)
    loader.tap(PLUGIN_NAME, (context) => attachBuild(context, build))
  })
  restoreSourceNames(like, session, (file) => sources.get(file))
  compressEmittedImages(like, build)
  followBuilds(like, session)
}

function addRules(compiler: Compiler, { identity, session }: ImageBuild, sources: ReadonlyMap<string, string>): void {
  const { module } = compiler.options
  const { store } = session.options
  const use = (loader: string, extra = ''): RuleSetRule['use'] => [{ loader, options: `build=${identity}${extra}` }]
  const asModule = { test: MODULE_NAME, type: 'javascript/auto' }
  module.rules = [
    ...rulesOfSources([...(defaultRules(module.rules) as RuleSetRule[]), ...module.rules], (file) => sources.get(file)),
    { test: LAZY_PATH, type: 'asset/resource', generator: { emit: false, filename: '[path][name][ext]' } },
    ...(store === undefined ? [] : [storedImages(storedBase(store))]),
    { test: IMAGE_FILE, enforce: 'post', use: use(IMAGE_LOADER) },
    { ...asModule, dependency: { not: 'url' }, use: use(MODULE_LOADER) },
    { ...asModule, dependency: 'url', use: use(MODULE_LOADER, '&url=true') },
  ]
}

/** Images in a store are nowhere emitted. */
function storedImages(publicPath: string): RuleSetRule {
  return { test: STORED_PATH, type: 'asset/resource', generator: { emit: false, filename: '[name][ext]', publicPath } }
}
