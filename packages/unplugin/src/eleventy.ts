/**
 * pixpress for Eleventy 2 and later.
 * @example
 * // eleventy.config.js
 * import pixpress from 'unplugin-pixpress/eleventy'
 *
 * export default (config) => config.addPlugin(pixpress)
 */
import './base/same-release.ts'
export { eleventyPlugin as pixpress, eleventyPlugin as default } from './frameworks/eleventy/plugin.ts'
export type { EleventyConfig } from './frameworks/eleventy/plugin.ts'
export type { Options } from './session/options/options.ts'
