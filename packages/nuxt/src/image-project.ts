import path from 'node:path'
import { operationsOf } from '@pixpress/core/internal'
import type { Operations } from '@pixpress/core'
import { cacheWithoutRemote } from 'unplugin-pixpress/internal'
import type { Options } from 'unplugin-pixpress/vite'
import type { NuxtOptions } from './nuxt-types.ts'

/** The handler's settings, as JSON: Nitro's dev server runs it in a thread of its own. */
export interface ImageProject {
  /** Absolute. */
  readonly root: string
  /** Folders that the components' sources are looked for in, absolute. */
  readonly dirs: readonly string[]
  /** Hosts of remote images. */
  readonly domains: readonly string[]
  readonly alias: Readonly<Record<string, string>>
  /** The site's URLs begin with it. */
  readonly base: string
  readonly operations: Operations
  /** Without what nobody else may see. */
  readonly cache?: Options['cache'] | undefined
}

/** Reads the handler's settings from the options of Nuxt and @nuxt/image. */
export function projectOf({ rootDir, srcDir, dir, app, image = {} }: NuxtOptions, options: Options): ImageProject {
  const folders = [image.dir, ...(image.dirs ?? []), dir.public].filter((each) => each !== undefined)
  const dirs = folders.flatMap((each) => [path.resolve(rootDir, each), path.resolve(srcDir, each)])
  return {
    root: rootDir,
    dirs: [...new Set(dirs)],
    domains: (image.domains ?? []).map((each) => new URL(each.includes('//') ? each : `http://${each}`).host),
    alias: image.alias ?? {},
    base: app.baseURL,
    operations: operationsOf(options as Parameters<typeof operationsOf>[0]),
    cache: cacheWithoutRemote(options.cache),
  }
}

/** Global, as Nitro imports the engine apart from the module. */
const HELD = Symbol.for('pixpress.nuxt')

type Holder = { [HELD]?: Map<string, Options> }

/** Keeps what JSON cannot carry (regular expressions) for what runs in this process. */
export function holdProject({ root }: ImageProject, options: Options): void {
  ;((globalThis as Holder)[HELD] ??= new Map()).set(root, options)
}

/** Tells whether this process builds the project and ends with its report. */
export const isHeld = ({ root }: ImageProject): boolean => (globalThis as Holder)[HELD]?.has(root) === true

/** Returns the options of the project in this process; in another those that are JSON. */
export const projectOptionsOf = ({ root, operations, cache }: ImageProject): Options =>
  (globalThis as Holder)[HELD]?.get(root) ??
  ({ ...operations, ...(cache !== undefined && { cache }), report: false } as Options)
