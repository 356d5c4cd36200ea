import { find } from './find.ts'
import type { ShownImage } from './shown-image.ts'

/** Makes an element: `createElement` of React and Preact. */
type CreateElement<E> = (type: string, properties: object, ...children: E[]) => E

/** Properties of an `<img>` whose URL may be one of the build's images. */
interface ImageProperties {
  readonly src?: ShownImage | string | undefined
  readonly sizes?: string | undefined
}

/**
 * Makes the component that stands in for an `<img>`: the same `<img>`, with a `<picture>` around it where the build
 * offers the image in several types. Every property is the image's. It knows no library, as each names its own.
 */
export function createImage<E>(create: CreateElement<E>): (properties: ImageProperties) => E {
  return (properties) => {
    const { src } = properties
    const shown = typeof src === 'string' ? find(src, true) : src
    // A value of another kind is the project's own.
    const image = create('img', typeof shown?.src === 'string' ? { ...properties, src: shown.src } : properties)
    if (shown?.sources === undefined) return image
    const { sizes } = properties
    const sources = shown.sources.map(({ type, srcset }) =>
      create('source', { key: type, type, srcSet: srcset, sizes, style: { display: 'none' } }),
    )
    return create('picture', { 'data-pixpress': '', style: { display: 'contents' } }, ...sources, image)
  }
}
