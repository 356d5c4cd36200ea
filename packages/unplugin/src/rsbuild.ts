import './base/same-release.ts'
import type { RsbuildPlugin } from '@rsbuild/core'
import { createRsbuildPlugin } from 'unplugin'
import { rsbuild } from './bundlers/rsbuild/plugin.ts'
import type { Options } from './session/options/options.ts'

/**
 * The plugin for Rsbuild.
 * @example
 * // rsbuild.config.mjs
 * import { defineConfig } from '@rsbuild/core'
 * import pixpress from 'unplugin-pixpress/rsbuild'
 *
 * export default defineConfig({
 *   plugins: [pixpress({ convert: { type: ['image/avif', 'image/webp'] } })],
 * })
 */
const pixpress: (options?: Options) => RsbuildPlugin = createRsbuildPlugin(rsbuild) as (
  options?: Options,
) => RsbuildPlugin

export default pixpress
export { pixpress }
/** `require` gives this in a CommonJS configuration file. */
export { pixpress as 'module.exports' }
export type { Options }
