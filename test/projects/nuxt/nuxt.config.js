export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  css: ['~/assets/main.css'],
  modules: ['@pixpress/nuxt', '@nuxt/image'],
  pixpress: { report: { baseline: true, json: 'report.json' } },
  telemetry: false,
})
