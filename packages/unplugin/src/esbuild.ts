import { pixpress } from './adapters/esbuild/plugin.ts'

export type { Options } from './core/options.ts'
export { pixpress }
/** What `require` gives in a CommonJS configuration file. */
export { pixpress as 'module.exports' }

/**
 * The plugin for esbuild.
 * @example
 * import { build } from 'esbuild'
 * import pixpress from 'unplugin-pixpress/esbuild'
 *
 * await build({
 *   entryPoints: ['src/main.js'],
 *   bundle: true,
 *   outdir: 'dist',
 *   plugins: [pixpress({ convert: { type: ['image/avif', 'image/webp'] } })],
 * })
 */
export default pixpress
