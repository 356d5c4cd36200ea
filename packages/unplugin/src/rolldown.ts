import { pixpress } from './adapters/rolldown.ts'

export type { RollupLikeOptions as Options } from './adapters/rolldown.ts'
export { pixpress }
/** What `require` gives in a CommonJS configuration file. */
export { pixpress as 'module.exports' }

/**
 * The plugin for Rolldown.
 * @example
 * // rolldown.config.js
 * import pixpress from 'unplugin-pixpress/rolldown'
 *
 * export default {
 *   input: 'src/main.js',
 *   output: { dir: 'dist' },
 *   plugins: [pixpress({ convert: { type: ['image/avif', 'image/webp'] } })],
 * }
 */
export default pixpress
