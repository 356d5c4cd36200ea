import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWebpackPlugin } from 'unplugin'
import { operationsOf } from '@pixpress/core/internal'
import { cacheWithoutRemote } from '../../session/options/cache-without-remote.ts'
import { checkOptions } from '../../session/options/check-options.ts'
import type { Options } from '../../session/options/options.ts'
import { forTurbopack } from './for-turbopack.ts'
import type { NextConfig } from './next-config.ts'
import { resolvePluginOptions } from '../../session/options/resolve.ts'
import { webpack } from '../../bundlers/webpack/plugin.ts'

/** Describes what `pixpress-next` has to know of the project, as JSON. */
export interface ExportSettings {
  /** Those that are JSON and no credentials. */
  readonly options: object
  /** Folder of the finished site, relative to the project. */
  readonly out: string
}

/**
 * Adds pixpress to Next.js's configuration: the plugin for builds with webpack, rules for those with Turbopack, and
 * with `output: 'export'` a loader for `next/image`, whose images `pixpress-next` makes after the build.
 * @param config an object; for a function give what it returns
 * @throws PixpressError `INVALID_OPTION`
 */
export function withPixpress<Config extends object>(config: Config, options: Options = {}): Config {
  checkOptions(options, 'webpack')
  const given = config as NextConfig
  const isExported = given.output === 'export'
  if (isExported) writeSettings({ options: plain(options), out: exportFolder(given) })
  const added: NextConfig = {
    ...forTurbopack(given, options, isExported),
    webpack(compiler: { plugins: unknown[] }, context: never) {
      // Images that Next.js emits as they are stay so until its smaller sizes are made.
      compiler.plugins.push(createWebpackPlugin(webpack)(isExported ? { ...options, publicDir: false } : options))
      return given.webpack == null ? compiler : given.webpack(compiler as never, context)
    },
    ...(isExported &&
      usesOptimizer(given) && { images: { ...given.images, loader: 'custom', loaderFile: loaderFile() } }),
  }
  return { ...config, ...added }
}

/** Next.js exports to a folder of the project's own for its builds, if there is one, and builds elsewhere. */
const exportFolder = ({ distDir = '.next' }: NextConfig): string => (distDir === '.next' ? 'out' : distDir)

const usesOptimizer = ({ images = {} }: NextConfig): boolean =>
  images.unoptimized !== true && (images.loader === undefined || images.loader === 'default')

/** Next.js takes it relative to the project. */
const loaderFile = (): string =>
  path.relative(process.cwd(), fileURLToPath(new URL(`./loader${path.extname(import.meta.url)}`, import.meta.url)))

function plain(options: Options): object {
  const { report, onError, concurrency, limits } = options
  const operations = operationsOf(options as Parameters<typeof operationsOf>[0])
  return { ...operations, report, cache: cacheWithoutRemote(options.cache), onError, concurrency, limits }
}

/** Where the settings are, absolute: Next.js empties its own folder when it builds. */
export const settingsFile = (root: string): string => path.join(resolvePluginOptions({}, root).workDir, 'next.json')

function writeSettings(settings: ExportSettings): void {
  const file = settingsFile(process.cwd())
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(settings)}\n`)
}
