import { createComponent, createMemo, mergeProps, splitProps } from 'solid-js'
import type { ComponentProps, JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { loadingOf, pictureParts, uncover, uncoverIfComplete } from './components/picture-parts.ts'
import type { ImgModule, PictureModule } from './components/picture-parts.ts'

/** Properties of `Picture`: those of an `<img>`, with an import as its `src`. */
export interface PictureProps extends Omit<
  ComponentProps<'img'>,
  'src' | 'srcset' | 'alt' | 'style' | 'sizes' | 'ref'
> {
  /** An import with `as=picture` or `as=img`. */
  src: PictureModule | ImgModule
  alt: string
  sizes?: string
  style?: JSX.CSSProperties
}

/** The `<picture>` of an import, with its placeholder; every other property is one of its `<img>`. */
export function Picture(props: PictureProps): JSX.Element {
  const [own, rest] = splitProps(props, ['src', 'sizes', 'style'])
  const loading = (): string | undefined => loadingOf(props.loading, props.fetchpriority)
  const parts = createMemo(() => pictureParts(own.src, own.sizes, loading() === 'lazy'))
  const shown = mergeProps(
    { component: 'img', decoding: 'async' },
    () => ({ loading: loading(), ...parts().img }),
    rest,
    {
      get style() {
        return { background: parts().background, ...own.style }
      },
      ref: (element: object) => {
        if (!parts().seeThrough) return
        uncoverIfComplete(element)
        ;(element as EventTarget).addEventListener('load', () => uncover(element), { once: true })
      },
    },
  )
  const img = (): JSX.Element => createComponent(Dynamic<'img'>, shown as never)
  if (parts().sources.length === 0) return img()
  return createComponent(Dynamic<'picture'>, {
    component: 'picture',
    get children() {
      return [...parts().sources.map(source), img()]
    },
  })
}

function source(attributes: object): JSX.Element {
  return createComponent(Dynamic<'source'>, { component: 'source', ...attributes } as never)
}
