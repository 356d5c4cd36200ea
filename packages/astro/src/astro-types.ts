/**
 * The parts of Astro 5 and later that this package uses, as types of our own: projects that build with Astro bring it,
 * and its types would be three hundred packages for this workspace to install.
 */
import type { Plugin, UserConfig } from 'vite'

/**
 * The request of a component, a page or a Markdown file. `src` of a local image holds Astro's facts about it. Read from
 * a URL, members that were not given are `null`.
 */
export interface ImageTransform {
  src: string | { readonly src: string; readonly width: number; readonly height: number; readonly format: string }
  width?: number | undefined
  height?: number | undefined
  format?: string | null | undefined
  quality?: string | number | null | undefined
  fit?: string | null | undefined
  position?: string | null | undefined
  background?: string | undefined
  [attribute: string]: unknown
}

/** `image` of Astro's configuration, as a service gets it. */
export interface ImageConfig {
  readonly service: { readonly entrypoint: string; readonly config: Readonly<Record<string, unknown>> }
}

/** An image service of Astro. */
export interface BaseService {
  readonly propertiesToHash: readonly string[]
  validateOptions(options: ImageTransform, config: ImageConfig): ImageTransform | Promise<ImageTransform>
  getURL(options: ImageTransform, config: ImageConfig): string | Promise<string>
  parseURL(url: URL, config: ImageConfig): (ImageTransform & { src: string }) | undefined
  getHTMLAttributes(options: ImageTransform, config: ImageConfig): Record<string, unknown>
  getSrcSet(
    options: ImageTransform,
    config: ImageConfig,
  ): readonly UnresolvedSrcSetValue[] | Promise<readonly UnresolvedSrcSetValue[]>
}

/** An image of a `srcset`. */
export interface UnresolvedSrcSetValue {
  readonly transform: ImageTransform
  readonly descriptor?: string
  readonly attributes?: Readonly<Record<string, unknown>>
}

/** A local image service: https://docs.astro.build/en/reference/image-service-reference/ */
export interface ImageService extends Omit<BaseService, 'propertiesToHash'> {
  propertiesToHash: string[]
  transform(
    bytes: Uint8Array,
    transform: ImageTransform,
    config: ImageConfig,
  ): Promise<{ data: Uint8Array; format: string }>
}

/** Astro's own service. */
export type AstroService = Pick<ImageService, 'transform'>

interface Logger {
  info(message: string): void
  warn(message: string): void
}

/** The hooks of https://docs.astro.build/en/reference/integrations-reference/ that are used. */
export interface Integration {
  name: string
  hooks: {
    'astro:config:setup'(options: {
      command: string
      config: { root: URL; publicDir: URL; base: string; image: ImageConfig; vite: UserConfig }
      injectScript(stage: 'head-inline', content: string): void
      updateConfig(config: object): unknown
      logger: Logger
    }): void
    'astro:config:done'(options: { buildOutput: 'static' | 'server' }): void
    'astro:build:start'(): void
    'astro:build:done'(options: { dir: URL; logger: Logger }): Promise<void>
  }
}

/** A plugin of the Vite that Astro runs. */
export type VitePlugin = Plugin
