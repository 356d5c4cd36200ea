import * as esbuild from 'esbuild'
import pixpress from 'unplugin-pixpress/esbuild'

const options = {
  entryPoints: ['src/index.js', 'src/index.html'],
  bundle: true,
  format: 'esm',
  outdir: 'dist',
  loader: { '.html': 'copy' },
  plugins: [pixpress({ convert: { type: 'image/webp' } })],
}

if (process.argv.includes('--serve')) {
  const context = await esbuild.context(options)
  await context.watch()
  const { port } = await context.serve({ host: '127.0.0.1', servedir: 'dist' })
  console.log(`http://127.0.0.1:${port}/`)
} else {
  await esbuild.build({ ...options, minify: true })
}
