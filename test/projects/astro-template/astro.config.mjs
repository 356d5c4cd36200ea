import pixpress from '@pixpress/astro'
import { defineConfig } from 'astro/config'

export default defineConfig({
  outDir: './auto',
  integrations: [pixpress({ convert: 'auto' })],
  vite: { build: { assetsInlineLimit: 0 } },
})
