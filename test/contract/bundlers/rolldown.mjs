import { rolldown } from 'rolldown'
import { drive } from './protocol.mjs'

await drive('rolldown', async ({ outDir, options }, warn, pixpress) => {
  const bundle = await rolldown({
    input: 'src/main.js',
    plugins: [pixpress(options)],
    onLog: (level, { message }) => level === 'warn' && warn(message),
  })
  const { output } = await bundle.write({
    dir: outDir,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    assetFileNames: 'assets/[name]-[hash][extname]',
    minify: true,
  })
  await bundle.close()
  return { entry: output.find(({ isEntry }) => isEntry).fileName }
})
