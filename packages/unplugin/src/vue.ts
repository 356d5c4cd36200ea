import { getCurrentInstance, h } from 'vue'
import type { FunctionalComponent, ImgHTMLAttributes } from 'vue'
import { loadingOf, pictureParts, watchImage } from './components/picture-parts.ts'
import type { ImgModule, PictureModule } from './components/picture-parts.ts'

/** Properties of `Picture`: those of an `<img>`, with an import as its `src`. */
export interface PictureProps extends /* @vue-ignore */ Omit<ImgHTMLAttributes, 'src' | 'srcset' | 'alt'> {
  /** An import with `as=picture` or `as=img`. */
  src: PictureModule | ImgModule
  alt: string
}

/** The `<picture>` of an import, with its placeholder. `slot` is set on it, all other attributes on the `<img>`. */
export const Picture: FunctionalComponent<PictureProps> = ({ src }, { attrs }) => {
  const { sizes, slot, ...rest } = attrs as { [name in 'sizes' | 'slot' | 'loading' | 'fetchpriority']?: string }
  const loading = loadingOf(rest.loading, rest.fetchpriority)
  const { sources, img } = pictureParts(src, sizes, loading === 'lazy')
  const isAlone = sources.length === 0
  // Vue marks the root alone for scoped styles of the parent, and the class is on the `<img>`.
  const scopeId = getCurrentInstance()?.vnode.scopeId
  const shown = h('img', {
    ...(scopeId && { [scopeId]: '' }),
    loading,
    decoding: 'async',
    ...img,
    ...(isAlone && { slot }),
    ...rest,
    ref: (element) => watchImage(element, src),
  })
  if (isAlone) return shown
  return h('picture', { slot }, [...sources.map((source, key) => h('source', { key, ...source })), shown])
}
Picture.props = ['src']
Picture.inheritAttrs = false
