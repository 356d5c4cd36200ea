import './base/same-release.ts'
import type { RspackPluginInstance } from '@rspack/core'
import { createRspackPlugin } from 'unplugin'
import { rspack } from './bundlers/rspack/plugin.ts'
import type { Options } from './session/options/options.ts'

/**
 * The plugin for Rspack.
 * @example
 * // rspack.config.mjs
 * import pixpress from 'unplugin-pixpress/rspack'
 *
 * export default {
 *   entry: './src/main.js',
 *   plugins: [pixpress({ convert: { type: ['image/avif', 'image/webp'] } })],
 * }
 */
const pixpress: (options?: Options) => RspackPluginInstance = createRspackPlugin(rspack)

export default pixpress
export { pixpress }
/** `require` gives this in a CommonJS configuration file. */
export { pixpress as 'module.exports' }
export type { Options }
