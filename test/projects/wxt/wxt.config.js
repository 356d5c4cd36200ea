import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'wxt'

export default defineConfig({ vite: () => ({ plugins: [pixpress()] }) })
