import { HtmlRspackPlugin } from '@rspack/core'
import pixpress from 'unplugin-pixpress/rspack'

export default {
  module: { rules: [{ test: /\.css$/, type: 'css/auto' }] },
  output: { clean: true },
  plugins: [pixpress({ convert: { type: 'image/webp' } }), new HtmlRspackPlugin({ template: './src/index.html' })],
}
