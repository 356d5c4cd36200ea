import { pixpress } from './adapters/rollup.ts'

export type { RollupLikeOptions as Options } from './adapters/rollup.ts'
export { pixpress }
/** What `require` gives in a CommonJS configuration file. */
export { pixpress as 'module.exports' }

/**
 * The plugin for Rollup.
 * @example
 * // rollup.config.js
 * import pixpress from 'unplugin-pixpress/rollup'
 *
 * export default {
 *   input: 'src/main.js',
 *   output: { dir: 'dist' },
 *   plugins: [pixpress({ convert: { type: ['image/avif', 'image/webp'] } })],
 * }
 */
export default pixpress
