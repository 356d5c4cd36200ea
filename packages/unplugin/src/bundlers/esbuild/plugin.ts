import path from 'node:path'
import type { PluginBuild } from 'esbuild'
import type { Options } from '../../session/options/options.ts'
import { IMAGE_FILE, IMAGE_URL } from '../../base/paths.ts'
import { targetsIn } from '../../session/options/auto-formats.ts'
import { openSession } from '../../session/registry.ts'
import { createAdapter } from '../adapter/adapter.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { wholeBuild } from '../adapter/whole-build.ts'
import { TEXT_FILE, loadWithPictures } from './inside.ts'
import { createImageLoader } from './load.ts'
import { addImageLoaders } from './loaders.ts'
import { loadWithNewUrls } from './new-url.ts'
import {
  FILE_NAMESPACE,
  INLINE_NAMESPACE,
  MODULE_NAMESPACE,
  NUMBERED_IMPORT,
  REMOTE_URL,
  STORED_NAMESPACE,
  createEsbuildResolver,
} from './resolve.ts'

const SCRIPT_FILE = /\.[cm]?[jt]sx?$/i

/**
 * esbuild: references to images resolve to paths beside the sources that do not exist, with the names of the results,
 * so that esbuild names, hashes and lists them by its own rules, and load as the processed bytes with the loader that
 * is set up for the source. Builds without `bundle` have no references and are left alone.
 *
 * A script, stylesheet or JSON file is loaded by the first plugin that answers for it: plugins that transform them
 * belong before this one.
 */
export const esbuild: Adapter = createAdapter('esbuild', (options) => [
  { name: 'pixpress', esbuild: { setup: (build) => setUp(build, options) } },
])

function setUp(build: PluginBuild, options: Options): void {
  const { initialOptions } = build
  if (initialOptions.bundle !== true) return
  const root = initialOptions.absWorkingDir ?? process.cwd()
  const session = openSession(options, root, targetsIn(initialOptions.target))
  const loaderOf = addImageLoaders(initialOptions)
  const resolver = createEsbuildResolver(build, session, loaderOf)
  const loader = createImageLoader(session, loaderOf)
  const withMap = initialOptions.sourcemap !== undefined && initialOptions.sourcemap !== false
  build.onResolve({ filter: REMOTE_URL }, resolver.remote)
  build.onResolve({ filter: IMAGE_URL }, resolver.reference)
  build.onResolve({ filter: NUMBERED_IMPORT }, resolver.numbered)
  build.onLoad({ filter: /^/, namespace: MODULE_NAMESPACE }, loader.module)
  build.onLoad({ filter: IMAGE_FILE, namespace: 'file' }, loader.image)
  build.onLoad({ filter: /^/, namespace: INLINE_NAMESPACE }, loader.image)
  build.onLoad({ filter: /^/, namespace: FILE_NAMESPACE }, loader.image)
  build.onLoad({ filter: /^/, namespace: STORED_NAMESPACE }, loader.stored)
  build.onLoad({ filter: SCRIPT_FILE, namespace: 'file' }, ({ path: file, with: attributes }) =>
    // An import attribute asks for the text or the bytes of the file.
    Object.keys(attributes).length > 0 ? undefined : loadWithNewUrls(file, session, withMap),
  )
  build.onLoad({ filter: TEXT_FILE, namespace: 'file' }, (args) => loadWithPictures(args, session))
  const { entryPoints, outdir, outfile, platform } = initialOptions
  const name = wholeBuild('esbuild', entryPoints, outdir, outfile, platform)
  let builds = 0
  build.onEnd(({ errors }) => {
    const folder = outdir ?? (outfile && path.dirname(outfile))
    if (folder !== undefined) session.leftAlone.output({ folder: path.resolve(root, folder) })
    return session.endBuild(++builds === 1 && errors.length === 0 ? name : undefined)
  })
}
