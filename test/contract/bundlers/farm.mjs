import { existsSync } from 'node:fs'
import path from 'node:path'
import { Logger, build } from '@farmfe/core'
import { drive } from './protocol.mjs'

await drive('farm', async ({ root, outDir, options }, warn, pixpress) => {
  const logger = new Logger()
  logger.warn = warn
  const page = existsSync(path.join(root, 'index.html'))
  await build({
    root,
    configFile: false,
    mode: 'production',
    logger,
    publicDir: 'public',
    compilation: {
      input: page ? { index: './index.html' } : { main: './src/main.js' },
      output: {
        path: outDir,
        publicPath: '/',
        clean: true,
        targetEnv: page ? 'browser' : 'node',
        filename: '[resourceName].[contentHash].[ext]',
        assetsFilename: 'assets/[resourceName].[contentHash].[ext]',
        ...(!page && { entryFilename: '[entryName].[ext]', format: 'esm' }),
      },
      // Farm would make one from the path of the project.
      runtime: { namespace: 'site' },
      sourcemap: false,
      persistentCache: false,
      presetEnv: false,
      progress: false,
    },
    plugins: [pixpress(options)].flat(),
  })
  return page ? { page: 'index.html' } : { entry: 'main.js' }
})
