import './base/same-release.ts'
import type { Plugin } from 'rolldown'
import { createRolldownPlugin } from 'unplugin'
import { rolldown } from './bundlers/rollup/plugin.ts'
import type { RollupLikeOptions } from './bundlers/rollup/plugin.ts'

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
const pixpress: (options?: RollupLikeOptions) => Plugin = createRolldownPlugin(rolldown) as (
  options?: RollupLikeOptions,
) => Plugin

export default pixpress
export { pixpress }
/** `require` gives this in a CommonJS configuration file. */
export { pixpress as 'module.exports' }
export type { RollupLikeOptions as Options }
