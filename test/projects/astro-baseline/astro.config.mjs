import pixpress from '@pixpress/astro'
import { defineConfig } from 'astro/config'

export default defineConfig({
  outDir: './ours',
  integrations: [pixpress({ report: { json: 'report.json', baseline: true } })],
  vite: { build: { assetsInlineLimit: 0 } },
})
