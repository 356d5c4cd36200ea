import { defineConfig } from 'rolldown'
import pixpress from 'unplugin-pixpress/rolldown'

export default defineConfig({
  input: 'src/index.js',
  output: { dir: 'dist' },
  plugins: [pixpress({ convert: { type: 'image/webp' } })],
})
