import './base/same-release.ts'
import type { Plugin } from 'esbuild'
import { createEsbuildPlugin } from 'unplugin'
import { esbuild } from './bundlers/esbuild/plugin.ts'
import type { Options } from './session/options/options.ts'

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
const pixpress: (options?: Options) => Plugin = createEsbuildPlugin(esbuild)

export default pixpress
export { pixpress }
/** `require` gives this in a CommonJS configuration file. */
export { pixpress as 'module.exports' }
export type { Options }
