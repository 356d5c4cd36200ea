import type { Plugin } from 'vite'
import { createVitePlugins } from './adapters/vite/index.ts'
import type { Options } from './core/options.ts'

/**
 * pixpress for Vite 7 and 8.
 * @example
 * ```ts
 * // vite.config.ts
 * import pixpress from 'unplugin-pixpress/vite'
 * import { defineConfig } from 'vite'
 *
 * export default defineConfig({ plugins: [pixpress({ convert: { type: ['image/avif', 'image/webp'] } })] })
 * ```
 */
export default function pixpress(options?: Options): Plugin[] {
  return createVitePlugins(options)
}

export { pixpress as 'module.exports' }
export type { Options }
