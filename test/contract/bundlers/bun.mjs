import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { drive } from './protocol.mjs'

await drive('bun', async ({ root, outDir, options }, warn, pixpress) => {
  rmSync(outDir, { recursive: true, force: true })
  const page = existsSync(path.join(root, 'index.html'))
  const { success, logs, outputs } = await Bun.build({
    root,
    entrypoints: [path.join(root, page ? 'index.html' : 'src/main.js')],
    outdir: outDir,
    format: 'esm',
    minify: true,
    publicPath: '/',
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]', asset: 'assets/[name]-[hash].[ext]' },
    plugins: [pixpress(options)].filter(Boolean),
    throw: false,
  })
  for (const log of logs) if (log.level === 'warning') warn(log.message)
  if (!success) throw new Error(logs.map(String).join('\n'))
  const [entry] = outputs
    .filter(({ kind }) => kind === 'entry-point')
    .map(({ path: file }) => path.relative(outDir, file))
  return page ? { page: 'index.html' } : { entry }
})
