import type { Plugin } from 'vite'
import type { Options } from '../../session/options/options.ts'
import { createAdapter } from '../adapter/adapter.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { isAtLeast, requireVersion } from '../adapter/required-version.ts'
import { buildReport } from './build-report.ts'
import { devServer } from './dev-server.ts'
import { commandVersion, installedVersion } from './found-version.ts'
import { withoutPrefixes } from './warning-prefix.ts'
import { emittedImages } from './emitted-images.ts'
import { idleRefining } from './idle-refining.ts'
import { imageModules, nearQueries } from './image-modules.ts'
import { inspector } from './inspector.ts'
import { newUrls } from './new-urls.ts'
import { limitBySources } from './inline-limit.ts'
import { jsonModules } from './json-modules.ts'
import { nuxtPublicFolders } from './nuxt-public.ts'
import { outputNames } from './output-names.ts'
import { pages } from './pages.ts'
import { createProjectHolder } from './project.ts'
import type { ProjectHolder } from './project.ts'
import { pluginCopies } from './plugin-copies.ts'
import { publicFolder } from './public-folder.ts'
import { lookedUpUrls } from './looked-up-urls.ts'
import { stylesheets } from './stylesheets.ts'
import { remoteImports } from './remote-imports.ts'
import { shownDrawings } from './shown-drawings.ts'
import { wxtPublicFolder } from './wxt-public.ts'

/** Vite 5.4 has it. */
const ROLLUP_OF_VITE = '4.20'

/**
 * Vite: one plugin for each way in which images get into a build: modules, `new URL()`, stylesheets, pages, `public/`,
 * and the dev server's requests.
 */
export const vite: Adapter = createAdapter('vite', (options) =>
  createPlugins(options).map(({ name, enforce, ...hooks }) => ({ name, enforce, vite: hooks })),
)

function createPlugins(options: Options): Plugin[] {
  const holder = createProjectHolder(options)
  return [
    ...modulePlugins(holder),
    ...pages(holder),
    ...publicFolder(holder),
    pluginCopies(holder),
    nuxtPublicFolders(holder),
    wxtPublicFolder(holder),
    inspector(holder),
    devServer(holder),
    idleRefining(holder),
    ...outputNames(holder),
    ...lookedUpUrls(holder),
    emittedImages(holder),
    ...buildReport(holder),
    {
      name: 'pixpress:workers',
      // Vite bundles workers by themselves, with plugins of their own.
      config: () => ({ worker: { plugins: () => modulePlugins(createProjectHolder(options, holder)) } }),
    },
  ]
}

/** Gives what modules refer to, in pages and workers alike. */
function modulePlugins(holder: ProjectHolder): Plugin[] {
  let folder = process.cwd()
  let prefixesTwice = false
  const root: Plugin = {
    name: 'pixpress',
    enforce: 'pre',
    // Before other plugins set a target.
    config: { order: 'pre', handler: (config) => holder.readTargets(config) },
    configResolved(config) {
      folder = config.root
      // Vite 5, which knows no environments, adds a prefix to the messages of plugins that Rollup gave one already.
      prefixesTwice = !('environments' in config)
      holder.resolve(config)
      if (config.command === 'build') limitBySources(config, holder.current.sources)
    },
    options(options) {
      // Vite tells its own version from 7 on; each depends on a version of its bundler, which may be a newer one.
      const { rolldownVersion, rollupVersion, viteVersion } = this.meta as typeof this.meta & { viteVersion?: string }
      if (rolldownVersion !== undefined) return null
      const running = viteVersion ?? commandVersion()
      if (running !== undefined) requireVersion('Vite', running)
      else if (!isAtLeast(rollupVersion, ROLLUP_OF_VITE)) {
        const installed = installedVersion(folder)
        // The project's own version need not be the one that runs.
        const isOlder = installed !== undefined && !isAtLeast(installed, '5.4')
        requireVersion('Vite', isOlder ? installed : undefined)
      }
      return prefixesTwice ? withoutPrefixes(options) : null
    },
  }
  return [
    root,
    ...remoteImports(holder),
    shownDrawings(holder),
    imageModules(holder),
    nearQueries(holder),
    ...newUrls(holder),
    jsonModules(holder),
    stylesheets(holder),
  ]
}
