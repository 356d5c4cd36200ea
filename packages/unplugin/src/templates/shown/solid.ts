import { createComponent, createMemo, mergeProps, splitProps } from 'solid-js'
import type { ComponentProps, JSX } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { ShownImage } from './shown-image.ts'

/**
 * Stands in for an `<img>` of a component: the same `<img>`, with a `<picture>` around it where the build offers the
 * image in several types. Every property is the image's.
 */
export default function Image(props: Omit<ComponentProps<'img'>, 'src'> & { src: ShownImage }): JSX.Element {
  const [own, rest] = splitProps(props, ['src'])
  const image = createMemo(() =>
    createComponent(
      Dynamic<'img'>,
      mergeProps(rest, {
        component: 'img',
        get src() {
          return own.src.src
        },
      }) as never,
    ),
  )
  const shown = createMemo(() => {
    if (own.src.sources === undefined) return image()
    return createComponent(Dynamic<'picture'>, {
      component: 'picture',
      'data-pixpress': '',
      style: { display: 'contents' },
      get children() {
        return [...(own.src.sources ?? []).map((source) => sourceOf(source)), image()]
      },
    } as never)
  })
  return shown as unknown as JSX.Element
}

const sourceOf = (attributes: object): JSX.Element =>
  createComponent(Dynamic<'source'>, { component: 'source', ...attributes, style: { display: 'none' } } as never)
