import { pixpress } from './adapters/farm/plugin.ts'

export type { Options } from './core/options.ts'
export { pixpress }
/** What `require` gives in a CommonJS configuration file. */
export { pixpress as 'module.exports' }

/**
 * The plugin for Farm.
 * @example
 * // farm.config.ts
 * import { defineConfig } from '@farmfe/core'
 * import pixpress from 'unplugin-pixpress/farm'
 *
 * export default defineConfig({
 *   plugins: [pixpress({ convert: { type: ['image/avif', 'image/webp'] } })],
 * })
 */
export default pixpress
