import { pixpress } from './adapters/rspack/plugin.ts'

export type { Options } from './core/options.ts'
export { pixpress }
/** What `require` gives in a CommonJS configuration file. */
export { pixpress as 'module.exports' }

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
export default pixpress
