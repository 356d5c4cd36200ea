import path from 'node:path'
import { build } from 'esbuild'
import { drive } from './protocol.mjs'

await drive('esbuild', async ({ root, outDir, options }, warn, pixpress) => {
  const { metafile, warnings } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.js'],
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    outdir: outDir,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    publicPath: '/',
    metafile: true,
    logLevel: 'silent',
    plugins: [pixpress(options)],
  })
  for (const { text } of warnings) warn(text)
  const [entry] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === 'src/main.js')
  return { entry: path.relative(outDir, path.join(root, entry)) }
})
