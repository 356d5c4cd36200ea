/**
 * pixpress for Next.js 14 and later.
 * @example
 * // next.config.mjs
 * import { withPixpress } from 'unplugin-pixpress/next'
 *
 * export default withPixpress({ output: 'export' })
 *
 * // package.json: { "scripts": { "build": "next build && pixpress-next" } }
 */
import './base/same-release.ts'
export { withPixpress, withPixpress as default } from './frameworks/next/config.ts'
export type { Options } from './session/options/options.ts'
