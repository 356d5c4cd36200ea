const pixpress = require('unplugin-pixpress/webpack')

module.exports = {
  title: 'Starter',
  url: 'https://example.com',
  baseUrl: '/',
  favicon: 'icon.png',
  plugins: [() => ({ name: 'pixpress', configureWebpack: () => ({ plugins: [pixpress()] }) })],
  presets: [['classic', { blog: false, docs: { routeBasePath: '/' }, theme: { customCss: './src/style.css' } }]],
}
