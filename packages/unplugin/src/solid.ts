import { createComponent, createEffect, createMemo, mergeProps, splitProps } from 'solid-js'
import type { ComponentProps, JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { loadingOf, pictureParts, watchImage } from './components/picture-parts.ts'
import type { ImgModule, PictureModule } from './components/picture-parts.ts'

/** Properties of `Picture`: those of an `<img>`, with an import as its `src`. */
export interface PictureProps extends Omit<ComponentProps<'img'>, 'src' | 'srcset' | 'alt' | 'sizes' | 'ref'> {
  /** An import with `as=picture` or `as=img`. */
  src: PictureModule | ImgModule
  alt: string
  sizes?: string
}

/** The `<picture>` of an import, with its placeholder. `slot` is set on it, all other properties on the `<img>`. */
export function Picture(props: PictureProps): JSX.Element {
  const [own, rest] = splitProps(props, ['src', 'sizes', 'slot'])
  const loading = (): string | undefined => loadingOf(props.loading, props.fetchpriority)
  const parts = createMemo(() => pictureParts(own.src, own.sizes, loading() === 'lazy'))
  const isAlone = parts().sources.length === 0
  const shown = mergeProps(
    { component: 'img', decoding: 'async' },
    () => ({ loading: loading(), ...parts().img, ...(isAlone && { slot: own.slot }) }),
    rest,
    { ref: (element: object) => createEffect(() => watchImage(element, own.src)) },
  )
  const img = (): JSX.Element => createComponent(Dynamic<'img'>, shown as never)
  if (isAlone) return img()
  return createComponent(Dynamic<'picture'>, {
    component: 'picture',
    get slot() {
      return own.slot
    },
    get children() {
      return [...parts().sources.map(source), img()]
    },
  })
}

function source(attributes: object): JSX.Element {
  return createComponent(Dynamic<'source'>, { component: 'source', ...attributes } as never)
}
