import { PixpressError } from '@pixpress/core'
import type { Options } from '../options.ts'

/**
 * Refuses the `store` option where images cannot be left out of the output: it must not be taken for done.
 * @throws PixpressError `UNSUPPORTED_OPERATION`
 */
export function refuseStore({ store }: Options, bundler: string): void {
  if (store === undefined) return
  throw new PixpressError(
    'UNSUPPORTED_OPERATION',
    `'store' is not available with ${bundler}. Vite, webpack, Rspack, Rollup, Rolldown, esbuild and Farm have it.`,
  )
}
