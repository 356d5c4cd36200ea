import './base/same-release.ts'
import { PixpressError } from '@pixpress/core'
import { createUnplugin } from 'unplugin'
import type { UnpluginFactory, UnpluginInstance } from 'unplugin'
import type { Adapter } from './bundlers/adapter/adapter.ts'
import * as bundlers from './bundlers/index.ts'
import type { Options } from './session/options/options.ts'

/**
 * A function for each bundler, which makes the bundler's own plugin, and `raw`, for a plugin that is made of several.
 */
export type Pixpress = {
  readonly [Name in keyof typeof bundlers & keyof UnpluginInstance<Options>]: (
    options?: Parameters<(typeof bundlers)[Name]>[0],
  ) => ReturnType<UnpluginInstance<Options>[Name]>
} & { readonly raw: UnpluginFactory<Options | undefined, true> }

const ADAPTERS: Readonly<Record<string, Adapter>> = bundlers

/**
 * Every image of a web project as small as it can be while it still looks right, in any bundler: `pixpress.vite()`,
 * `pixpress.webpack()`, and so on. `unplugin-pixpress/vite`, `/webpack`, … give the same for one bundler and load
 * nothing of the others; `/postcss` rewrites CSS for bundlers that leave it to PostCSS; `/client` holds the types of
 * image imports.
 *
 * Inside, a reference goes from an adapter (`bundlers/`) through `directives/` and the session (`session/`) to
 * `@pixpress/core` and back.
 * @example
 * // vite.config.js
 * import pixpress from 'unplugin-pixpress'
 *
 * export default { plugins: [pixpress.vite({ convert: { type: ['image/avif', 'image/webp'] } })] }
 */
const pixpress: Pixpress = createUnplugin<Options | undefined, true>((options, { framework }) => {
  const adapter = ADAPTERS[framework]
  if (adapter !== undefined) return adapter(options)
  const supported = Object.keys(ADAPTERS).join(', ')
  throw new PixpressError(
    'INVALID_OPTION',
    `There is no adapter for the bundler '${framework}', only for ${supported}.`,
  )
}) as Pixpress

export default pixpress
export type { CustomOutput, OutputImage } from './directives/custom-output.ts'
export type { DefaultDirectives } from './directives/default-directives.ts'
export type { MediaPreset, Preset, PresetOrParts } from './directives/presets.ts'
export type { FilterPattern } from './session/plan/filter.ts'
export type { Options }
export type { Report } from '@pixpress/core/report'
export type { RemoteOptions } from '@pixpress/core'
export { PixpressError }
export type { ErrorCode } from '@pixpress/core'
