import path from 'node:path'
import { withNamedFile } from '../../core/error-message.ts'
import { IMAGE_FILE, IMAGE_URL } from '../../core/image-path.ts'
import type { Options } from '../../core/options.ts'
import { openSession } from '../../core/registry.ts'
import { refuseStore } from '../../core/store/refuse.ts'
import type { BunPlugin } from './bun-api.ts'
import { createBunLoader } from './load.ts'
import { INLINE_NAMESPACE, MODULE_NAMESPACE, createResolver } from './resolve.ts'

const SCRIPT_FILE = /\.[cm]?[jt]sx?$/i

/**
 * The plugin for Bun's bundler: `Bun.build`, and `Bun.serve` through `bunfig.toml`. References to images resolve to paths
 * that are made up beside the sources from the results, so that Bun names them by its own rules, and load as the processed
 * bytes. Runs in a process of Bun only.
 */
export function pixpress(options: Options = {}): BunPlugin {
  return {
    name: 'pixpress',
    setup(build) {
      refuseStore(options, 'Bun')
      const session = openSession(options, process.cwd())
      const resolver = createResolver(session, createInlineRule(build.config?.loader ?? {}), warn)
      const loader = createBunLoader(session, resolver, warn)
      build.onResolve({ filter: IMAGE_URL }, named(resolver.reference))
      build.onLoad({ filter: IMAGE_FILE, namespace: 'file' }, named(loader.image))
      build.onLoad({ filter: /./, namespace: INLINE_NAMESPACE }, named(loader.inlineImage))
      build.onLoad({ filter: /./, namespace: MODULE_NAMESPACE }, named(loader.module))
      build.onLoad({ filter: SCRIPT_FILE, namespace: 'file' }, named(loader.script))
      build.onEnd?.(() => session.endBuild())
    },
  }
}

/** Bun has no channel for warnings of plugins. */
function warn(message: string): void {
  console.warn(`pixpress: ${message}`)
}

/** By the loader that is set up for a file: whether it gives a `data:` URL; `undefined` when it is none for images. */
function createInlineRule(loaders: Readonly<Record<string, string>>): (file: string) => boolean | undefined {
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
