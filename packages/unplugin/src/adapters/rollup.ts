import type { Plugin } from 'rollup'
import { createRollupLikePlugin } from './rollup-like/plugin.ts'
import type { RollupLikeOptions } from './rollup-like/plugin.ts'

export type { RollupLikeOptions } from './rollup-like/plugin.ts'

export function pixpress(options: RollupLikeOptions = {}): Plugin {
  return createRollupLikePlugin(options, 'rollup')
}
