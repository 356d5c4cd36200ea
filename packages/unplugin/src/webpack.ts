import './base/same-release.ts'
import type { WebpackPluginInstance } from 'webpack'
import { createWebpackPlugin } from 'unplugin'
import { webpack } from './bundlers/webpack/plugin.ts'
import type { Options } from './session/options/options.ts'

/**
 * The plugin for webpack 5.
 * @example
 * // webpack.config.mjs
 * import pixpress from 'unplugin-pixpress/webpack'
 *
 * export default {
 *   entry: './src/main.js',
 *   plugins: [pixpress({ convert: { type: ['image/avif', 'image/webp'] } })],
 * }
 */
const pixpress: (options?: Options) => WebpackPluginInstance = createWebpackPlugin(webpack)

export default pixpress
export { pixpress }
/** `require` gives this in a CommonJS configuration file. */
export { pixpress as 'module.exports' }
export type { Options }
