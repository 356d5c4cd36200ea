import './base/same-release.ts'
import type { BunPlugin } from './bundlers/bun/bun-api.ts'
import { createBunPlugin } from 'unplugin'
import { bun } from './bundlers/bun/plugin.ts'
import type { Options } from './session/options/options.ts'

/**
 * The plugin for Bun.
 * @example
 * import pixpress from 'unplugin-pixpress/bun'
 *
 * await Bun.build({
 *   entrypoints: ['src/index.html'],
 *   outdir: 'dist',
 *   plugins: [pixpress({ convert: { type: ['image/avif', 'image/webp'] } })],
 * })
 */
const pixpress: (options?: Options) => BunPlugin = createBunPlugin(bun) as (options?: Options) => BunPlugin

export default pixpress
export { pixpress }
/** `require` gives this in a CommonJS script. */
export { pixpress as 'module.exports' }
export type { Options }
