import { defineConfig } from '@rsbuild/core'
import pixpress from 'unplugin-pixpress/rsbuild'

export default defineConfig({
  html: { template: './src/index.html' },
  plugins: [pixpress({ convert: { type: 'image/webp' } })],
})
