import path from 'node:path'
import { withNamedFile } from '../../modules/failure.ts'
import type { Options } from '../../session/options/options.ts'
import { IMAGE_FILE, IMAGE_URL } from '../../base/paths.ts'
import { openSession } from '../../session/registry.ts'
import { createAdapter } from '../adapter/adapter.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { wholeBuild } from '../adapter/whole-build.ts'
import type { BunConfig, BunPluginBuilder, LoadArguments } from './bun-api.ts'
import { TEXT_FILE, loadLighterText, realPaths } from './inside.ts'
import { writeHeld } from './held-images.ts'
import { createBunLoader } from './load.ts'
import { createLocate } from './locate.ts'
import type { InlineRule } from './locate.ts'
import { PAGE_FILE, SRCSET, createStoredPages } from './pages.ts'
import { INLINE_NAMESPACE, MODULE_NAMESPACE, STORED_NAMESPACE, createBunResolver } from './resolve.ts'

const SCRIPT_FILE = /\.[cm]?[jt]sx?$/i

/**
 * Bun's bundler: `Bun.build`, and `Bun.serve` through `bunfig.toml`. References to images resolve to paths beside the
 * sources that do not exist, with the names of the results, so that Bun names them by its own rules, and load as the
 * processed bytes. With `store` they are modules of URLs in scripts, external in stylesheets, and written into pages
 * before Bun reads those. Runs in a process of Bun only.
 */
export const bun: Adapter = createAdapter('bun', (options) => [
  { name: 'pixpress', bun: { setup: (build: BunPluginBuilder) => setUp(build, options) } },
])

function setUp(build: BunPluginBuilder, options: Options): void {
  const { config = {} } = build
  const session = openSession(options, process.cwd())
  const locate = createLocate(session, createInlineRule(config), warn)
  // `Bun.serve` serves the images itself, and does not tell whether it is a dev server.
  const stores = session.options.store !== undefined && config.entrypoints !== undefined
  const holds = config.entrypoints !== undefined && build.onEnd !== undefined
  const resolver = createBunResolver(session, locate, { stores, holds }, warn)
  const loader = createBunLoader(session, resolver, warn)
  build.onResolve({ filter: IMAGE_URL }, named(resolver.reference))
  build.onLoad({ filter: IMAGE_FILE, namespace: 'file' }, named(loader.image))
  build.onLoad({ filter: /./, namespace: INLINE_NAMESPACE }, named(loader.inlineImage))
  build.onLoad({ filter: /./, namespace: STORED_NAMESPACE }, named(loader.stored))
  build.onLoad({ filter: /./, namespace: MODULE_NAMESPACE }, named(loader.module))
  build.onLoad({ filter: SCRIPT_FILE, namespace: 'file' }, named(loader.script))
  // `Bun.serve` does not tell whether it is a dev server, which has no need of smaller pictures.
  if (config.entrypoints !== undefined) {
    // With a store, pages are loaded for their images.
    const pages = realPaths(stores ? [] : config.entrypoints)
    const load = named((args: LoadArguments) => loadLighterText(args, { session, pages }, warn))
    build.onLoad({ filter: TEXT_FILE, namespace: 'file' }, load)
  }
  if (stores) {
    const pages = createStoredPages(session, locate, config, warn)
    build.onLoad({ filter: PAGE_FILE, namespace: 'file' }, named(pages.load))
    build.onResolve({ filter: SRCSET }, named(pages.checkSrcset))
  }
  build.onEnd?.(async (result) => {
    if (result.success !== false) await writeHeld(config, result.outputs ?? [], resolver.held.values())
    const { entrypoints, outdir, target } = config
    const isWhole = entrypoints !== undefined && result.success !== false
    if (outdir !== undefined) session.leftAlone.output({ folder: path.resolve(outdir) })
    await session.endBuild(isWhole ? wholeBuild('bun', entrypoints, outdir, target) : undefined)
  })
}

/** Bun has no channel for warnings of plugins. */
function warn(message: string): void {
  console.warn(`pixpress: ${message}`)
}

function createInlineRule({ loader: loaders = {} }: BunConfig): InlineRule {
  return (file) => {
    const loader = loaders[path.extname(file)] ?? 'file'
    if (loader === 'file') return false
    return loader === 'dataurl' ? true : undefined
  }
}

/** Bun shows the message of an error alone. */
function named<A, R>(hook: (args: A) => Promise<R>): (args: A) => Promise<R> {
  return async (args) => {
    try {
      return await hook(args)
    } catch (error) {
      throw withNamedFile(error)
    }
  }
}
