import pixpress from 'unplugin-pixpress/rollup'

export default {
  input: 'src/index.js',
  output: { dir: 'dist', format: 'es' },
  plugins: [pixpress({ convert: { type: 'image/webp' } })],
}
