import pixpress from 'unplugin-pixpress/bun'

await Bun.build({
  entrypoints: ['src/index.html'],
  outdir: 'dist',
  minify: true,
  plugins: [pixpress({ convert: { type: 'image/webp' } })],
})
