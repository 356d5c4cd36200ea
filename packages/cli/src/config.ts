import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ImageStoreOptions, Limits, Operations, RemoteOptions } from '@pixpress/core'
import { nearest } from '@pixpress/core'
import { UsageError } from './usage-error.ts'

/**
 * What `pixpress.config.ts` holds: the options of the command. The plugin takes the same object, and its own options besides
 * (`presets`, `publicDir`, …), which the command leaves alone.
 */
export interface Config extends Operations {
  /** Files of the given folders to work on: globs relative to the folder. Default: every image. */
  include?: string | readonly string[]
  /** Files to leave alone: globs relative to the folder. */
  exclude?: string | readonly string[]
  /** Where images are worked on: `local` (default), or a service of the remote interface. */
  engine?: 'local' | RemoteOptions
  /** Where `compress --store` puts results, and the plugin's builds their images. `manifest` is relative to the configuration file. */
  store?: ImageStoreOptions
  /** Keeps results between runs. A folder is relative to the configuration file. Default `true`. */
  cache?: boolean | { dir?: string; /** Bytes; default 1 GiB. */ maxSize?: number }
  /** Images worked on at once. Default: the processors this process may use. */
  concurrency?: number
  /** Bounds checked before anything is decoded. */
  limits?: Limits
  /** Options of the plugin. */
  [option: string]: unknown
}

/** Options of the plugin that mean nothing to the command. */
const PLUGIN_ONLY = ['root', 'convertIcons', 'presets', 'publicDir', 'report', 'onError', 'budget'] as const

/** Options of the command. */
const OWN = [
  'resize',
  'convert',
  'transform',
  'preserve',
  'quality',
  'maxBytes',
  'effort',
  'encoder',
  'include',
  'exclude',
  'engine',
  'store',
  'cache',
  'concurrency',
  'limits',
] as const

const KNOWN: readonly string[] = [...OWN, ...PLUGIN_ONLY]

/** In the order in which they are looked for. */
export const CONFIG_FILES: readonly string[] = ['ts', 'mts', 'js', 'mjs'].map(
  (extension) => `pixpress.config.${extension}`,
)

/** Gives the configuration the types of its options; otherwise the very same object. */
export function defineConfig<const T extends Config>(config: T): T {
  return config
}

export interface LoadedConfig {
  readonly config: Config
  /** Absolute path; `undefined` where there is none. */
  readonly file: string | undefined
}

/**
 * The configuration file that is named, or the nearest one from a folder upwards.
 * @throws UsageError when the named file does not exist, cannot be loaded, or holds an unknown option
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

function checked(value: unknown, file: string): Config {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${file} must export its options as the default: export default { quality: 'balanced' }.`)
  }
  for (const key of Object.keys(value)) {
    if (KNOWN.includes(key)) continue
    const near = nearest(key, KNOWN)
    throw new UsageError(
      `${file}: unknown option '${key}'. ${near === undefined ? `Known: ${KNOWN.join(', ')}.` : `Did you mean '${near}'?`}`,
    )
  }
  return value as Config
}
