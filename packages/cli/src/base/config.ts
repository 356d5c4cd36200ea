import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { PixpressError } from '@pixpress/core'
import { PROJECT_OPTIONS, parseOptions, UsageError } from '@pixpress/core/internal'
import type { ProjectOptions } from '@pixpress/core'

/**
 * The contents of `pixpress.config.ts`. The plugin takes the same object with further options (`presets`, `publicDir`,
 * …), which the command ignores.
 */
export interface Config extends Omit<ProjectOptions, 'include' | 'exclude' | 'presets'> {
  /** Files of the given folders to work on: globs relative to the folder. Default: every image. */
  include?: string | readonly string[]
  /** Files to leave alone: globs relative to the folder. */
  exclude?: string | readonly string[]
  /** Named sets of directives, for the plugin. */
  presets?: Readonly<Record<string, unknown>>
  /** Prefix of the URLs of images, for the plugins of Rollup and Rolldown. */
  publicPath?: string
}

/** In the order in which they are looked for. */
export const CONFIG_FILES: readonly string[] = ['ts', 'mts', 'js', 'mjs'].map(
  (extension) => `pixpress.config.${extension}`,
)

/** Gives the configuration the types of its options; otherwise the very same object. */
export function defineConfig<const T extends Config>(config: T): T {
  return config
}

/** A configuration and the file that it comes from. */
export interface LoadedConfig {
  readonly config: Config
  /** Absolute path; `undefined` where there is none. */
  readonly file: string | undefined
}

/**
 * Loads the named configuration file, or the nearest one in this folder or above it.
 * @throws UsageError when the named file does not exist, cannot be loaded, or holds an option that is unknown or
 * refused
 */
export async function loadConfig(cwd: string, named?: string): Promise<LoadedConfig> {
  const file = named === undefined ? findConfig(cwd) : path.resolve(cwd, named)
  if (file === undefined) return { config: {}, file }
  if (!existsSync(file)) throw new UsageError(`There is no configuration file '${named}'.`)
  return { config: checked(await importDefault(file), file), file }
}

function findConfig(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    for (const name of CONFIG_FILES) if (existsSync(path.join(folder, name))) return path.join(folder, name)
    if (folder === path.dirname(folder)) return undefined
  }
}

async function importDefault(file: string): Promise<unknown> {
  try {
    if (!/\.m?ts$/.test(file)) return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default
    // Not every Node that is supported reads TypeScript by itself.
    const { createJiti } = await import('jiti')
    return await createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(file, { default: true })
  } catch (error) {
    throw new UsageError(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Every option by its row; `presets`, `engine` and `store` as a whole where they are used. */
function checked(value: unknown, file: string): Config {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${file} must export its options as the default: export default { quality: 'balanced' }.`)
  }
  try {
    parseOptions(PROJECT_OPTIONS, value)
  } catch (error) {
    throw error instanceof PixpressError ? new UsageError(`${file}: ${error.message}`) : error
  }
  return value as Config
}
