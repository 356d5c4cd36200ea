import HtmlPlugin from 'html-webpack-plugin'
import CssPlugin from 'mini-css-extract-plugin'
import pixpress from 'unplugin-pixpress/webpack'

export default {
  module: {
    rules: [
      { test: /\.css$/, use: [CssPlugin.loader, 'css-loader'] },
      { test: /\.html$/, use: 'html-loader' },
    ],
  },
  output: { clean: true },
  plugins: [
    pixpress({ convert: { type: 'image/webp' } }),
    new CssPlugin(),
    new HtmlPlugin({ template: './src/index.html' }),
  ],
}
