import './base/same-release.ts'
import type { Plugin } from 'postcss'
import { createStylesheetPlugin } from './bundlers/postcss.ts'
import type { Options } from './session/options/options.ts'

/**
 * pixpress for PostCSS: images of `url()` and `image-set()` become files in the cache folder, for whatever takes up the
 * URLs after it (`postcss-url`, a bundler). Vite does not need it.
 * @example
 * ```js
 * // postcss.config.js
 * import pixpress from 'unplugin-pixpress/postcss'
 *
 * export default { plugins: [pixpress({ quality: 'balanced' })] }
 * ```
 */
const pixpress: { (options?: Options): Plugin; readonly postcss: true } = Object.assign(
  (options?: Options): Plugin => createStylesheetPlugin(options),
  // Lets PostCSS take the function itself for the plugin without options.
  { postcss: true } as const,
)

export default pixpress
export { pixpress as 'module.exports' }
export type { Options }
