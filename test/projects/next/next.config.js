import pixpress from 'unplugin-pixpress/webpack'

export default {
  output: 'export',
  images: { unoptimized: true },
  webpack(config) {
    config.plugins.push(pixpress())
    return config
  },
}
