import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    pixpress({
      convert: { type: ['image/avif', 'image/webp'] },
      presets: { hero: { w: [960, 1920], format: ['avif', 'webp', 'jpg'], as: 'picture' } },
      lqip: 'thumbhash',
      report: { json: 'dist/report.json', html: 'dist/report.html' },
    }),
  ],
})
