import { createElement, useCallback } from 'react'
import type { ComponentPropsWithoutRef, ReactElement, Ref } from 'react'
import { loadingOf, pictureParts, watchImage } from './components/picture-parts.ts'
import type { ImgModule, PictureModule } from './components/picture-parts.ts'

/** Properties of `Picture`: those of an `<img>`, with an import as its `src`. */
export interface PictureProps extends Omit<ComponentPropsWithoutRef<'img'>, 'src' | 'srcSet' | 'alt'> {
  /** An import with `as=picture` or `as=img`. */
  src: PictureModule | ImgModule
  alt: string
}

/** The `<picture>` of an import, with its placeholder. `slot` is set on it, all other properties on the `<img>`. */
export function Picture({ src, sizes, slot, ...rest }: PictureProps): ReactElement {
  const { ref } = rest as { ref?: Ref<HTMLImageElement> }
  const loading = loadingOf(rest.loading, rest.fetchPriority)
  const { sources, img } = pictureParts(src, sizes, loading === 'lazy')
  const { srcset: srcSet, ...own } = img
  const isAlone = sources.length === 0
  const shown = createElement('img', {
    loading: loading as 'lazy' | undefined,
    decoding: 'async',
    ...own,
    ...(srcSet !== undefined && { srcSet }),
    ...(isAlone && { slot }),
    ...rest,
    ref: useCallback(
      (element: HTMLImageElement | null) => {
        watchImage(element, src)
        if (typeof ref === 'function') return ref(element)
        if (ref) ref.current = element
      },
      [src, ref],
    ),
  })
  if (isAlone) return shown
  const rows = sources.map(({ srcset, ...source }, key) => createElement('source', { key, ...source, srcSet: srcset }))
  return createElement('picture', { slot }, ...rows, shown)
}
