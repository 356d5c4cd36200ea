import type { Rollup } from 'vite'

/** Takes Rollup's prefix off the warnings of our plugins, to which Vite adds its own. */
export function withoutPrefixes<Options extends Pick<Rollup.InputOptions, 'onwarn'>>(options: Options): Options {
  const { onwarn } = options
  if (onwarn === undefined) return options
  return {
    ...options,
    onwarn(warning, defaultHandler) {
      const prefix = `[plugin ${warning.plugin}] `
      const isOurs = warning.plugin?.startsWith('pixpress') === true && warning.message.startsWith(prefix)
      onwarn(isOurs ? { ...warning, message: warning.message.slice(prefix.length) } : warning, defaultHandler)
    },
  }
}
