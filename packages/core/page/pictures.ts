import { choice, element, bytesText, countText, labelled, segmentedButtons, typeLabel } from '@pixpress/face'
import type { PageData, PageImage } from '../src/report/page-shape.ts'
import { createCards } from './cards.ts'
import { isOfKind, kindsOf } from './kinds.ts'
import type { Kind } from './kinds.ts'
import { createMap } from './map.ts'
import { createImageTable } from './image-table.ts'

/** The pictures of the report, and what filters them. */
export interface Pictures {
  readonly element: HTMLElement
  /** Shows those of a kind, and takes the reader there. */
  show(kind: Kind): void
}

/** From this number on, the table is the view that a page opens with. */
const MANY = 200

const VIEWS = [
  ['cards', 'Pictures'],
  ['table', 'Table'],
  ['map', 'Map'],
] as const

type View = (typeof VIEWS)[number][0]

/** Creates the section of all images: large, as a table, or as a map of bytes. */
export function createPictures({ images }: PageData, open: (image: PageImage) => void): Pictures {
  const heaviestFirst = images.toSorted((a, b) => b.after - a.after)
  const shownBy = { cards: createCards(open), table: createImageTable(open), map: createMap(open) }
  const find = element('input', {
    type: 'search',
    className: 'field',
    autocomplete: 'off',
    placeholder: 'Find a name or folder',
    ariaLabel: 'Find',
  })
  const types = [...new Set(images.map(({ type }) => type))].sort()
  const type = choice([['', 'all'], ...types.map((each) => [each, typeLabel(each)] as const)])
  const kind = choice(kindsOf(images))
  const count = element('p', { className: 'small dim', role: 'status' })

  const draw = (): void => {
    const words = find.value.toLowerCase()
    const found = heaviestFirst.filter(
      (image) =>
        image.source.toLowerCase().includes(words) &&
        (type.value === '' || type.value === image.type) &&
        isOfKind(image, kind.value as Kind),
    )
    const bytes = bytesText(found.reduce((sum, { after }) => sum + after, 0))
    count.textContent =
      found.length === images.length
        ? 'The heaviest first'
        : `${found.length} of ${countText(images.length, 'image')}, ${bytes}`
    for (const [name, each] of Object.entries(shownBy)) each.element.hidden = name !== views.value
    shownBy[views.value].show(found)
  }
  const views = segmentedButtons<View>('Show as', VIEWS, draw)
  if (images.length > MANY) views.choose('table')
  else draw()
  for (const each of [type, kind]) each.addEventListener('change', draw)
  find.addEventListener('input', draw)
  const title = element('h2', { textContent: 'Pictures', tabIndex: -1 })
  return {
    element: element(
      'section',
      { ariaLabel: 'Pictures', className: 'section' },
      element('div', { className: 'head' }, title, count),
      element('div', { className: 'tools' }, views.element, find, labelled('Type', type), labelled('Only', kind)),
      ...Object.values(shownBy).map((each) => each.element),
    ),
    show(next) {
      kind.value = next
      draw()
      title.scrollIntoView()
      title.focus()
    },
  }
}
