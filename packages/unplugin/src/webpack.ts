import { pixpress } from './adapters/webpack.ts'

export type { Options } from './core/options.ts'
export { pixpress }
/** What `require` gives in a CommonJS configuration file. */
export { pixpress as 'module.exports' }

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
export default pixpress
