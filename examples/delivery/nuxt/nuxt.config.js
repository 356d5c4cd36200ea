export default defineNuxtConfig({
  modules: ['@nuxt/image'],
  telemetry: false,
  compatibilityDate: '2026-11-01',
  image: { provider: 'pixpress', providers: { pixpress: { provider: '~~/providers/pixpress.js' } } },
})
