/** The parts of Nuxt 3 and 4 that this package uses, as types of our own: projects that use the module bring Nuxt. */
import type { Options } from 'unplugin-pixpress/vite'

/** The options of @nuxt/image that are read. */
export interface ImageOptions {
  provider?: string
  /** Folders of images, relative to the sources. */
  dir?: string
  dirs?: string[]
  domains?: string[]
  alias?: Record<string, string>
  ipx?: { baseURL?: string }
}

/** Options of Nuxt. */
export interface NuxtOptions {
  rootDir: string
  srcDir: string
  dev: boolean
  _generate?: boolean
  dir: { public: string }
  app: { baseURL: string }
  vite: { plugins?: unknown[] }
  nitro?: { static?: boolean }
  serverHandlers: { route?: string; handler: string }[]
  image?: ImageOptions
  pixpress?: Options
  _installedModules?: { meta?: { name?: string } }[]
}

interface CompilerConfig {
  plugins?: unknown[]
}

/** Nuxt, as modules see it. */
export interface Nuxt {
  options: NuxtOptions
  hook(name: 'modules:done', action: () => void): void
  hook(name: 'webpack:config' | 'rspack:config', action: (configs: CompilerConfig[]) => Promise<void>): void
  hook(name: 'nitro:config', action: (config: { virtual?: Record<string, unknown> }) => void): void
  hook(name: 'nitro:init', action: (nitro: Nitro) => void): void
}

/** Nitro, as modules see it. */
export interface Nitro {
  hooks: { hook(name: 'prerender:done', action: () => Promise<void>): void }
}
