import { choice, element, labelled, typeLabel } from '@pixpress/face'
import type { PageImage } from '../src/report/page-shape.ts'
import { createKinds } from './kinds.ts'
import type { Kinds } from './kinds.ts'

/** The fields that choose some of the images. */
export interface Filters {
  readonly elements: readonly HTMLElement[]
  readonly kinds: Pick<Kinds, 'choose' | 'add'>
  /** The images that all of the fields leave. */
  readonly left: readonly PageImage[]
}

/** Creates the fields to find images by name, type and kind. */
export function createFilters(images: readonly PageImage[], onChange: () => void): Filters {
  const find = element('input', {
    type: 'search',
    className: 'field',
    autocomplete: 'off',
    placeholder: 'Find a name or folder',
    ariaLabel: 'Find',
  })
  const types = [...new Set(images.map(({ type }) => type))].sort()
  const type = choice([['', 'all'], ...types.map((each) => [each, typeLabel(each)] as const)])
  const kinds = createKinds(images)
  for (const each of [type, kinds.element]) each.addEventListener('change', onChange)
  find.addEventListener('input', onChange)
  return {
    elements: [find, labelled('Type', type), labelled('Only', kinds.element)],
    kinds,
    get left() {
      const words = find.value.toLowerCase()
      return images.filter(
        (image) =>
          image.source.toLowerCase().includes(words) &&
          (type.value === '' || type.value === image.type) &&
          kinds.has(image),
      )
    },
  }
}
