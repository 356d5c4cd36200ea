import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    pixpress({
      convert: { type: ['image/avif', 'image/webp'] },
      presets: { card: { w: [480, 960], format: ['avif', 'webp', 'jpg'], as: 'picture' } },
      report: { json: 'dist/report.json' },
    }),
  ],
})
