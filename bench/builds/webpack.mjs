import { createRequire } from 'node:module'
import path from 'node:path'
import HtmlWebpackPlugin from 'html-webpack-plugin'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import webpack from 'webpack'
import { reportUsageAtExit } from '../measure/resource-usage.mjs'
import { IMAGE_FOLDER } from './output.mjs'

/** Builds the project in the current folder into `dist/`: `node webpack.mjs <tool> [<its options as JSON>]`. */
const TOOLS = {
  none: async () => ({}),
  pixpress: async (settings) => {
    const { default: pixpress } = await import('unplugin-pixpress/webpack')
    return { plugins: [pixpress(settings)] }
  },
  // "For lossy optimization we recommend using the default settings of `sharp` package", says its README.
  'image-minimizer-webpack-plugin': async () => {
    const { default: ImageMinimizerPlugin } = await import('image-minimizer-webpack-plugin')
    const minimizer = { implementation: ImageMinimizerPlugin.sharpMinify, options: { encodeOptions: {} } }
    // AVIF is left out, because the build fails on it: sharp calls the format `heif`, which has no defaults.
    return { minimizers: [new ImageMinimizerPlugin({ test: /\.(?:jpe?g|png|gif|webp|svg)$/i, minimizer })] }
  },
}

const { resolve } = createRequire(import.meta.url)

reportUsageAtExit()
const [tool, settings] = process.argv.slice(2)
const { plugins = [], minimizers = [] } = await TOOLS[tool](settings && JSON.parse(settings))
const compiler = webpack({
  context: process.cwd(),
  mode: 'production',
  entry: './main.js',
  output: { path: path.resolve('dist'), clean: true },
  // A warm build needs this cache: without it, neither webpack nor image-minimizer keeps anything between builds.
  cache: { type: 'filesystem', buildDependencies: { config: [import.meta.filename] } },
  performance: { hints: false },
  module: {
    rules: [
      { test: /\.css$/, use: [MiniCssExtractPlugin.loader, resolve('css-loader')] },
      { test: /\.html$/, use: [resolve('html-loader')] },
      {
        test: /\.(?:jpe?g|png|webp|avif|gif|svg)$/,
        // Every image becomes a file, because inlined ones would be missing from the sums.
        type: 'asset/resource',
        generator: { filename: `${IMAGE_FOLDER}/[name].[contenthash][ext]` },
      },
    ],
  },
  plugins: [new MiniCssExtractPlugin(), new HtmlWebpackPlugin({ template: './index.html' }), ...plugins],
  optimization: { minimizer: ['...', ...minimizers] },
})

compiler.run((failure, stats) => {
  compiler.close((closing) => {
    const problem = failure ?? closing ?? (stats.hasErrors() ? stats.toString('errors-only') : null)
    if (problem === null) return
    console.error(problem)
    process.exitCode = 1
  })
})
