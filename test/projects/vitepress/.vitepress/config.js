import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vitepress'

export default defineConfig({
  title: 'Starter',
  themeConfig: { logo: '/icon.png' },
  vite: { plugins: [pixpress()] },
})
