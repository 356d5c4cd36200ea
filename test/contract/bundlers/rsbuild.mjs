import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createLogger, createRsbuild } from '@rsbuild/core'
import { drive } from './protocol.mjs'

const require = createRequire(import.meta.url)

await drive('rsbuild', async ({ root, outDir, options, inlineLimit = 0 }, warn, pixpress) => {
  // Rsbuild prints warnings and errors itself, and only says that the build has failed.
  const errors = []
  const logger = createLogger({ level: 'warn' })
  logger.override({ warn, error: (message) => errors.push(String(message?.message ?? message)) })
  const page = existsSync(path.join(root, 'index.html'))
  const rsbuild = await createRsbuild({
    cwd: root,
    config: {
      customLogger: logger,
      mode: 'production',
      source: { entry: { main: './src/main.js' } },
      output: {
        distPath: { root: outDir },
        cleanDistPath: true,
        dataUriLimit: inlineLimit,
        ...(!page && { target: 'node' }),
      },
      ...(page && { html: { template: './index.html', outputStructure: 'flat' } }),
      performance: { printFileSize: false },
      // Templates are the project's to process: Rsbuild only fills them in.
      tools: { rspack: { module: { rules: [{ test: /\.html$/, loader: require.resolve('html-loader') }] } } },
      plugins: [pixpress(options)],
    },
  })
  const { stats, close } = await rsbuild.build().catch((error) => {
    throw new Error([error.message, ...errors].join('\n'))
  })
  const { main } = stats.toJson({ all: false, entrypoints: true }).entrypoints
  await close()
  const scripts = main.assets.map(({ name }) => name).filter((name) => name.endsWith('.js'))
  return page ? { page: 'main.html' } : { entry: scripts[0] }
})
