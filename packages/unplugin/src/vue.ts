import { h, mergeProps } from 'vue'
import type { FunctionalComponent, ImgHTMLAttributes } from 'vue'
import { loadingOf, pictureParts, uncover, uncoverIfComplete } from './components/picture-parts.ts'
import type { ImgModule, PictureModule } from './components/picture-parts.ts'

/** Properties of `Picture`: those of an `<img>`, with an import as its `src`. */
export interface PictureProps extends /* @vue-ignore */ Omit<ImgHTMLAttributes, 'src' | 'srcset' | 'alt'> {
  /** An import with `as=picture` or `as=img`. */
  src: PictureModule | ImgModule
  alt: string
}

/** The `<picture>` of an import, with its placeholder; every attribute and listener is one of its `<img>`. */
export const Picture: FunctionalComponent<PictureProps> = ({ src }, { attrs }) => {
  const { sizes, ...rest } = attrs as { sizes?: string; loading?: string; fetchpriority?: string }
  const loading = loadingOf(rest.loading, rest.fetchpriority)
  const { sources, img, background, seeThrough } = pictureParts(src, sizes, loading === 'lazy')
  const own = {
    loading,
    decoding: 'async',
    ...img,
    style: { background },
    ...(seeThrough && {
      onLoad: (event: { currentTarget: object | null }) => uncover(event.currentTarget ?? {}),
      onVnodeMounted: ({ el }: { el: object | null }) => uncoverIfComplete(el),
    }),
  }
  const shown = h('img', mergeProps(own, rest))
  if (sources.length === 0) return shown
  return h('picture', [...sources.map((source) => h('source', { key: source.type, ...source })), shown])
}
Picture.props = ['src']
Picture.inheritAttrs = false
