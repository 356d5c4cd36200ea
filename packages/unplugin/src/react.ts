import { createElement } from 'react'
import type { ComponentPropsWithoutRef, ReactElement, SyntheticEvent } from 'react'
import { loadingOf, pictureParts, uncover, uncoverIfComplete } from './components/picture-parts.ts'
import type { ImgModule, PictureModule } from './components/picture-parts.ts'

/** Properties of `Picture`: those of an `<img>`, with an import as its `src`. */
export interface PictureProps extends Omit<ComponentPropsWithoutRef<'img'>, 'src' | 'srcSet' | 'alt'> {
  /** An import with `as=picture` or `as=img`. */
  src: PictureModule | ImgModule
  alt: string
}

/** The `<picture>` of an import, with its placeholder; every other property is one of its `<img>`. */
export function Picture({ src, sizes, style, onLoad, ...rest }: PictureProps): ReactElement {
  const loading = loadingOf(rest.loading, rest.fetchPriority)
  const { sources, img, background, seeThrough } = pictureParts(src, sizes, loading === 'lazy')
  const { srcset, ...own } = img
  const shown = createElement('img', {
    loading: loading as 'lazy' | undefined,
    decoding: 'async',
    ...own,
    ...(srcset !== undefined && { srcSet: srcset }),
    ...rest,
    style: { background, ...style },
    ...(seeThrough && { ref: uncoverIfComplete }),
    onLoad: (event: SyntheticEvent<HTMLImageElement>) => {
      if (seeThrough) uncover(event.currentTarget)
      onLoad?.(event)
    },
  })
  if (sources.length === 0) return shown
  const rows = sources.map(({ type, srcset: srcSet, sizes: wide }) =>
    createElement('source', { key: type, type, srcSet, sizes: wide }),
  )
  return createElement('picture', null, ...rows, shown)
}
