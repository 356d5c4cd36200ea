import pixpress from 'unplugin-pixpress/farm'

export default {
  compilation: {
    input: { index: './index.html' },
    presetEnv: false,
  },
  plugins: [pixpress({ convert: { type: 'image/webp' } })],
}
