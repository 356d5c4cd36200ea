import { rollup } from 'rollup'
import { drive } from './protocol.mjs'

/** Rollup knows no JSON. */
const json = {
  name: 'json',
  transform: (code, id) => (id.endsWith('.json') ? { code: `export default ${code}`, map: null } : null),
}

await drive('rollup', async ({ outDir, options }, warn, pixpress) => {
  const bundle = await rollup({
    input: 'src/main.js',
    plugins: [pixpress(options), json],
    onwarn: ({ message }) => warn(message),
  })
  const { output } = await bundle.write({
    dir: outDir,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    assetFileNames: 'assets/[name]-[hash][extname]',
  })
  await bundle.close()
  return { entry: output.find(({ isEntry }) => isEntry).fileName }
})
