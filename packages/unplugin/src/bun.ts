import { pixpress } from './adapters/bun/plugin.ts'

export type { Options } from './core/options.ts'
export { pixpress }
/** What `require` gives in a CommonJS script. */
export { pixpress as 'module.exports' }

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
export default pixpress
