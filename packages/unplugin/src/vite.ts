import './base/same-release.ts'
import type { Plugin } from 'vite'
import { createVitePlugin } from 'unplugin'
import { vite } from './bundlers/vite/index.ts'
import type { Options } from './session/options/options.ts'

/**
 * pixpress for Vite 5.4 to 8.
 * @example
 * // vite.config.ts
 * import pixpress from 'unplugin-pixpress/vite'
 * import { defineConfig } from 'vite'
 *
 * export default defineConfig({ plugins: [pixpress({ convert: { type: ['image/avif', 'image/webp'] } })] })
 */
const pixpress: (options?: Options) => Plugin[] = createVitePlugin(vite) as (options?: Options) => Plugin[]

export default pixpress
export { pixpress }
/** `require` gives this in a CommonJS configuration file. */
export { pixpress as 'module.exports' }
export type { Options }
