import { defineConfig } from 'astro/config'
import pixpress from 'unplugin-pixpress/vite'

export default defineConfig({ vite: { plugins: [pixpress()] } })
