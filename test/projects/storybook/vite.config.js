import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [pixpress()] })
