/**
 * Every image of a web project as small as it can be while it still looks right, in any bundler.
 *
 * The plugins are `unplugin-pixpress/vite`, `/webpack`, `/rspack`, `/rollup`, `/rolldown`, `/esbuild`, `/farm` and `/bun`;
 * `/postcss` rewrites CSS for bundlers that leave it to PostCSS; `/client` holds the types of image imports.
 * Inside, a reference goes from an adapter (adapters/) through directives (core/directives/) and the session
 * (core/session.ts) to `@pixpress/core` and back.
 */
export type { Preset } from './core/directives/presets.ts'
export type { FilterPattern } from './core/filter.ts'
export type { Options } from './core/options.ts'
export type { Report } from '@pixpress/core/report'
export type { RemoteOptions } from '@pixpress/core'
export { PixpressError } from '@pixpress/core'
export type { ErrorCode } from '@pixpress/core'
