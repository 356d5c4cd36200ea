import CopyPlugin from 'copy-webpack-plugin'
import HtmlPlugin from 'html-webpack-plugin'
import CssPlugin from 'mini-css-extract-plugin'
import pixpress from 'unplugin-pixpress/webpack'

export default {
  mode: 'production',
  entry: './src/index.js',
  output: { clean: true, filename: '[name].[contenthash].js', assetModuleFilename: 'media/[name].[contenthash][ext]' },
  module: {
    rules: [
      { test: /\.css$/, use: [CssPlugin.loader, 'css-loader'] },
      { test: /\.html$/, loader: 'html-loader' },
      {
        test: /\.(?:png|jpe?g|svg)$/,
        dependency: { not: ['url'] },
        type: 'javascript/auto',
        use: [{ loader: 'file-loader', options: { name: 'media/[name].[contenthash].[ext]' } }],
      },
    ],
  },
  plugins: [
    new HtmlPlugin({ template: './src/index.html' }),
    new CssPlugin({ filename: '[name].[contenthash].css' }),
    new CopyPlugin({ patterns: ['public'] }),
    pixpress(),
  ],
}
