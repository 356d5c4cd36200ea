import { existsSync } from 'node:fs'
import path from 'node:path'
import { build, createLogger } from 'vite'
import { drive } from './protocol.mjs'

await drive('vite', async ({ root, outDir, options, inlineLimit }, warn, pixpress) => {
  const logger = createLogger('error')
  logger.warn = warn
  logger.warnOnce = warn
  const page = existsSync(path.join(root, 'index.html'))
  await build({
    root,
    configFile: false,
    customLogger: logger,
    logLevel: 'warn',
    plugins: [pixpress(options)],
    build: {
      outDir,
      modulePreload: false,
      ...(inlineLimit !== undefined && { assetsInlineLimit: inlineLimit }),
      ...(!page && { rollupOptions: { input: 'src/main.js', output: { entryFileNames: 'main.js' } } }),
    },
  })
  return page ? { page: 'index.html' } : { entry: 'main.js' }
})
