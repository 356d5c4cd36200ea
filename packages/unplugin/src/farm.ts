import './base/same-release.ts'
import type { JsPlugin } from '@farmfe/core'
import { createFarmPlugin } from 'unplugin'
import { farm } from './bundlers/farm/plugin.ts'
import type { Options } from './session/options/options.ts'

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
const pixpress: (options?: Options) => JsPlugin = createFarmPlugin(farm) as (options?: Options) => JsPlugin

export default pixpress
export { pixpress }
/** `require` gives this in a CommonJS configuration file. */
export { pixpress as 'module.exports' }
export type { Options }
