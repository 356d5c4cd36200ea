import { defineConfig } from 'astro/config'

export default defineConfig({ outDir: './plain', vite: { build: { assetsInlineLimit: 0 } } })
