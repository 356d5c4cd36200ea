/**
 * The one list of bundlers: each export is an adapter (`adapter.ts`) under the name that unplugin has for its bundler.
 */
export { vite } from './vite/index.ts'
export { webpack } from './webpack/plugin.ts'
export { rspack } from './rspack/plugin.ts'
export { rsbuild } from './rsbuild/plugin.ts'
export { rolldown, rollup } from './rollup/plugin.ts'
export { esbuild } from './esbuild/plugin.ts'
export { bun } from './bun/plugin.ts'
