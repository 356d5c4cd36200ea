import pixpress from 'unplugin-pixpress/vite'

export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  css: ['~/assets/main.css'],
  telemetry: false,
  vite: { plugins: [pixpress()] },
})
