import type { Plugin } from 'esbuild'
import { IMAGE_FILE, IMAGE_URL } from '../../core/image-path.ts'
import type { Options } from '../../core/options.ts'
import { openSession } from '../../core/registry.ts'
import { createImageLoader } from './load.ts'
import { addImageLoaders } from './loaders.ts'
import { loadWithNewUrls } from './new-url.ts'
import {
  FILE_NAMESPACE,
  INLINE_NAMESPACE,
  MODULE_NAMESPACE,
  NUMBERED_IMPORT,
  STORED_NAMESPACE,
  createResolver,
} from './resolve.ts'

const SCRIPT_FILE = /\.[cm]?[jt]sx?$/i

/**
 * The plugin for esbuild. References to images resolve to paths that are made up beside the sources from the results, so
 * that esbuild names, hashes and lists them by its own rules, and load as the processed bytes with the loader that is set
 * up for the source. Builds without `bundle` have no references and are left alone.
 *
 * A script is loaded by the first plugin that answers for it: plugins that transform scripts belong before this one.
 */
export function pixpress(options: Options = {}): Plugin {
  return {
    name: 'pixpress',
    setup(build) {
      const { initialOptions } = build
      if (initialOptions.bundle !== true) return
      const session = openSession(options, initialOptions.absWorkingDir ?? process.cwd())
      const loaderOf = addImageLoaders(initialOptions)
      const resolver = createResolver(build, session, loaderOf)
      const loader = createImageLoader(session, loaderOf)
      const withMap = initialOptions.sourcemap !== undefined && initialOptions.sourcemap !== false
      build.onResolve({ filter: IMAGE_URL }, resolver.reference)
      build.onResolve({ filter: NUMBERED_IMPORT }, resolver.numbered)
      build.onLoad({ filter: /^/, namespace: MODULE_NAMESPACE }, loader.module)
      build.onLoad({ filter: IMAGE_FILE, namespace: 'file' }, loader.image)
      build.onLoad({ filter: /^/, namespace: INLINE_NAMESPACE }, loader.image)
      build.onLoad({ filter: /^/, namespace: FILE_NAMESPACE }, loader.image)
      build.onLoad({ filter: /^/, namespace: STORED_NAMESPACE }, loader.stored)
      build.onLoad({ filter: SCRIPT_FILE, namespace: 'file' }, (args) => loadWithNewUrls(args.path, session, withMap))
      build.onEnd(() => session.endBuild())
    },
  }
}
