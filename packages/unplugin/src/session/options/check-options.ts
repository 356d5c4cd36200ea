import { PixpressError } from '@pixpress/core'
import { PROJECT_OPTIONS, parseOptions } from '@pixpress/core/internal'
import type { Rows } from '@pixpress/core/internal'
import { fromImagetools } from './imagetools-options.ts'
import { resolvePluginOptions } from './resolve.ts'
import type { Options } from './options.ts'

const ROWS = Object.entries(PROJECT_OPTIONS)

/**
 * Refuses wrong options without opening a session, so that they fail where they are written, whatever the bundler does
 * with the plugin later.
 * @param bundler whose own options are taken too; empty for none
 * @throws PixpressError `INVALID_OPTION`, whose stack is its one sentence: tools show the stack of what a configuration
 *   file throws, and where in this package an option was read tells its author nothing
 */
export function checkOptions(options: Options, bundler: string = ''): void {
  try {
    const own = ROWS.filter(([, { bundlers }]) => bundlers?.includes(bundler))
    const taken = ROWS.filter(([, { bundlers }]) => bundlers === undefined || bundlers.includes(bundler))
    const read = fromImagetools(options)
    parseOptions(Object.fromEntries(taken) as Rows<Options>, read)
    const common = Object.entries(read).filter(([key]) => !own.some(([each]) => each === key))
    resolvePluginOptions(Object.fromEntries(common), process.cwd())
  } catch (error) {
    throw error instanceof PixpressError ? withoutStack(error) : error
  }
}

/** For errors of whoever wrote the configuration: their stack is the one sentence. */
export function withoutStack(error: PixpressError): PixpressError {
  error.stack = `${error.name}: ${error.message}`
  // Node prints these below an error that nobody caught.
  for (const key of Object.keys(error)) Object.defineProperty(error, key, { enumerable: false })
  return error
}
