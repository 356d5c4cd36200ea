import { baseService } from 'astro/assets'
import type { AstroService, BaseService, ImageConfig, ImageService, ImageTransform } from './astro-types.ts'
import { MADE_WITH, UNASKED } from './marks.ts'

/** Loads the engine when it is needed, and never in a browser: it is native. */
const engine = (): Promise<typeof import('./engine.ts')> => import('@pixpress/astro/engine')

/** Imports Astro's own service, which is bundled with the pages so that it loads the same sharp. */
const ofAstro = async (): Promise<AstroService> => (await import('astro/assets/services/sharp')).default

/** The image service that `@pixpress/astro` puts in the place of Astro's own. It is called by Astro alone. */
const service: ImageService = {
  propertiesToHash: [...baseService.propertiesToHash, MADE_WITH],
  async validateOptions(options, config) {
    const { defaultFormat, inBestFormat, madeWith } = await engine()
    const isUnasked = options.format == null && !isVector(options)
    const format = isUnasked ? defaultFormat(config) : options.format
    const valid = await baseService.validateOptions({ ...options, format }, config)
    const marked = { ...valid, [MADE_WITH]: madeWith(config) }
    return isUnasked ? inBestFormat(marked, config) : marked
  },
  getURL: (options, config) => baseService.getURL(options, config),
  parseURL: (url, config) => baseService.parseURL(url, config),
  getHTMLAttributes(options, config) {
    const { [MADE_WITH]: _, [UNASKED]: __, ...own } = options
    return baseService.getHTMLAttributes(own, config)
  },
  async getSrcSet(options, config) {
    const values = await baseService.getSrcSet(options, config)
    if (options[UNASKED] === undefined) return values
    const { inBestFormat } = await engine()
    return Promise.all(
      values.map(async (value) => {
        const transform = await inBestFormat(value.transform, config)
        return { ...value, transform, attributes: { ...value.attributes, type: `image/${transform.format}` } }
      }),
    )
  },
  async transform(bytes, transform, config) {
    const { makeImage } = await engine()
    return makeImage(bytes, transform, config, ofAstro)
  },
}

/** Vectors are components with properties. */
const isVector = ({ src }: ImageTransform): boolean => typeof src !== 'string' && src.format === 'svg'

export default service
export type { BaseService, ImageConfig, ImageService, ImageTransform }
