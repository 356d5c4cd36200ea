import { baseService } from 'astro/assets'
import type { BaseService, ImageConfig, ImageService, ImageTransform } from './astro-types.ts'

/**
 * The property that tells apart what other options or another version of the engine make, for Astro keeps images by the properties
 * of their transforms, and names them so.
 */
const MADE_WITH = 'pixpress'

/** Loaded when it is needed, and never by a browser: the engine is native. */
const engine = (): Promise<typeof import('./engine.ts')> => import('@pixpress/astro/engine')

/** The image service that `@pixpress/astro` puts in the place of Astro's own. It is called by Astro alone. */
const service: ImageService = {
  propertiesToHash: [...baseService.propertiesToHash, MADE_WITH],
  async validateOptions(options, config) {
    const { defaultFormat, madeWith } = await engine()
    const format = options.format ?? defaultFormat(config)
    const valid = await baseService.validateOptions({ ...options, format }, config)
    return { ...valid, [MADE_WITH]: madeWith(config) }
  },
  getURL: (options, config) => baseService.getURL(options, config),
  parseURL: (url, config) => baseService.parseURL(url, config),
  getHTMLAttributes(options, config) {
    const { [MADE_WITH]: _, ...own } = options
    return baseService.getHTMLAttributes(own, config)
  },
  getSrcSet: (options, config) => baseService.getSrcSet(options, config),
  async transform(bytes, transform, config) {
    const { makeImage } = await engine()
    return makeImage(bytes, transform, config)
  },
}

export default service
export type { BaseService, ImageConfig, ImageService, ImageTransform }
