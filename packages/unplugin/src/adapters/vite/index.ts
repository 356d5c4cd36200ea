import type { Plugin } from 'vite'
import type { Options } from '../../core/options.ts'
import { buildReport } from './build-report.ts'
import { devServer } from './dev-server.ts'
import { imageModules } from './image-modules.ts'
import { newUrls } from './new-urls.ts'
import { outputNames } from './output-names.ts'
import { pages } from './pages.ts'
import { createProjectHolder } from './project.ts'
import type { ProjectHolder } from './project.ts'
import { publicFolder } from './public-folder.ts'
import { stylesheets } from './stylesheets.ts'

/**
 * One plugin for each way in which Vite comes by images: modules, `new URL()`, stylesheets, pages, `public/`, and the dev
 * server's requests.
 */
export function createVitePlugins(options: Options = {}): Plugin[] {
  const holder = createProjectHolder(options)
  return [
    ...modulePlugins(holder),
    ...pages(holder),
    publicFolder(holder),
    devServer(holder),
    ...outputNames(holder),
    ...buildReport(holder),
    {
      name: 'pixpress:workers',
      // Vite bundles workers by themselves, with plugins of their own.
      config: () => ({ worker: { plugins: () => modulePlugins(createProjectHolder(options)) } }),
    },
  ]
}

/** What modules refer to, in pages and workers alike. */
function modulePlugins(holder: ProjectHolder): Plugin[] {
  const root: Plugin = { name: 'pixpress', enforce: 'pre', configResolved: (config) => holder.resolve(config) }
  return [root, imageModules(holder), newUrls(holder), stylesheets(holder)]
}
