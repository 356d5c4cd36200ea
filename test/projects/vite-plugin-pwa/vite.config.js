import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

export default defineConfig({
  plugins: [
    VitePWA({
      registerType: 'autoUpdate',
      includeAssets: ['icon.png'],
      manifest: { name: 'Starter', icons: [{ src: 'icon.png', sizes: '192x192', type: 'image/png' }] },
      workbox: { globPatterns: ['**/*.{js,css,html,svg,png,jpg}'] },
    }),
    pixpress(),
  ],
})
