import type { EnvironmentContext, RsbuildConfig, RsbuildPluginAPI } from '@rsbuild/core'
import type { Compiler } from '@rspack/core'
import type { Options } from '../../session/options/options.ts'
import { openSession } from '../../session/registry.ts'
import { createAdapter } from '../adapter/adapter.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { compressCopies } from '../../copies/copied-images.ts'
import { attachTo } from '../rspack/plugin.ts'
import { PLUGIN_NAME } from '../webpack-like/compiler.ts'
import { imageHandler } from '../webpack-like/dev-server.ts'

/**
 * Rsbuild: its compilers are Rspack's and get what Rspack's get, so Rsbuild's own rules for images (size limits, names,
 * `?url`, `?inline`, `?raw`) apply to the results. The dev server and the copies of `server.publicDir` are Rsbuild's
 * work.
 */
export const rsbuild: Adapter = createAdapter('rsbuild', (options) => [
  { name: PLUGIN_NAME, rsbuild: { setup: (api) => setUp(api, options) } },
])

function setUp(api: RsbuildPluginAPI, options: Options): void {
  const isServed = api.context.action === 'dev'
  const session = openSession(options, api.context.rootPath, targetsOf(api.getRsbuildConfig()), isServed)
  api.modifyRspackConfig((_, { appendPlugins, environment }) => {
    // Files on the disk may be served by others, who have no image that is not encoded yet.
    const isLazy = isServed && environment.config.dev.writeToDisk === false
    appendPlugins({
      name: PLUGIN_NAME,
      apply: (compiler: Compiler) => attachTo(compiler, session, { isServed, isLazy }),
    })
  })
  // The returned function runs when the other middlewares are in place: headers, CORS, compression, the compiler's own
  // files.
  api.onBeforeStartDevServer(({ server }) => () => {
    server.middlewares.use(imageHandler(session))
  })
  if (!session.options.publicDir) return
  api.onBeforeBuild({
    // Rsbuild copies at the same time of the build. Later the report would be written already.
    order: 'post',
    async handler({ isFirstCompile, environments }) {
      if (!isFirstCompile) return
      for (const { publicDir, distPath } of copiedFolders(Object.values(environments))) {
        await compressCopies(session, publicDir, distPath, (message) => api.logger.warn(message))
      }
    },
  })
}

/** The browserslist that the configuration sets. Rsbuild's default is not among it. */
function targetsOf({ environments, output }: Readonly<RsbuildConfig>): readonly string[] {
  const list = environments?.['web']?.output?.overrideBrowserslist ?? output?.overrideBrowserslist
  return list === undefined ? [] : [`browserslist:${list.join(', ')}`]
}

/** Every pair of a folder that Rsbuild has copied and a folder that may hold the copies, once. */
function copiedFolders(environments: readonly EnvironmentContext[]): { publicDir: string; distPath: string }[] {
  const pairs = environments.flatMap(({ config, distPath }) =>
    config.server.publicDir
      .filter(({ copyOnBuild }) => copyOnBuild !== false)
      .map(({ name: publicDir }) => ({ publicDir, distPath })),
  )
  return [...new Map(pairs.map((pair) => [`${pair.publicDir}\0${pair.distPath}`, pair])).values()]
}
