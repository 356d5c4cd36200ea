import type { UnpluginOptions } from 'unplugin'
import { checkOptions } from '../../session/options/check-options.ts'
import type { Options } from '../../session/options/options.ts'

/**
 * Turns options into the plugins that unplugin makes into the bundler's own. Each has a name, perhaps `enforce`, and
 * the bundler's native hooks under the bundler's name (`vite: {…}`, `webpack(compiler) {…}`, `esbuild: { setup }`).
 *
 * unplugin's own `resolveId`, `load` and `transform` stay unused: on webpack and Rspack they turn images of stylesheets
 * into scripts, and nowhere do they see pages or dev servers. unplugin changes the objects that it gets, so every call
 * makes new ones.
 */
export type Adapter<AdapterOptions extends Options = Options> = (options?: AdapterOptions) => UnpluginOptions[]

/**
 * An adapter that refuses wrong options when it is called, that is, while the bundler reads its configuration.
 * @param bundler its name among those that options may be for alone (`PROJECT_OPTIONS`)
 */
export function createAdapter<AdapterOptions extends Options = Options>(
  bundler: string,
  make: (options: AdapterOptions) => UnpluginOptions[],
): Adapter<AdapterOptions> {
  return (options) => {
    const given = options ?? ({} as AdapterOptions)
    checkOptions(given, bundler)
    return make(given)
  }
}
