import { element, bytesText, countText, segmentedButtons } from '@pixpress/face'
import type { PageData, PageImage } from '../src/report/page-shape.ts'
import { createCards } from './cards.ts'
import { createFilters } from './filters.ts'
import type { Kind } from './kinds.ts'
import { createMap } from './map.ts'
import { imageColumns } from './image-table.ts'
import { createOrders } from './orders.ts'
import { createTable, ordered } from './table.ts'

/** The pictures of the report, and what filters them. */
export interface Pictures {
  readonly element: HTMLElement
  /** Those that are shown, in their order. */
  readonly shown: readonly PageImage[]
  /** Shows those of a kind, and takes the reader there. */
  show(kind: Kind): void
  /** Shows those for which a test holds, which words describe. */
  showOnly(words: string, test: (image: PageImage) => boolean): void
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
  const columns = imageColumns(open)
  const orders = createOrders(columns, draw)
  const table = createTable('Images', columns, orders.order.column, (order) => orders.choose(order))
  const shownBy = { cards: createCards(open), table, map: createMap(open) }
  const filters = createFilters(images, draw)
  const count = element('p', { className: 'small dim', role: 'status' })
  const views = segmentedButtons<View>('Show as', VIEWS, draw)
  let found: readonly PageImage[] = []

  function draw(): void {
    found = ordered(filters.left, columns, orders.order)
    const bytes = bytesText(found.reduce((sum, { after }) => sum + after, 0))
    const some =
      found.length === images.length ? '' : `${found.length} of ${countText(images.length, 'image')}, ${bytes}. `
    // A map has its own order.
    const order = views.value === 'map' ? 'The heaviest first' : orders.words
    count.textContent = some + order
    orders.element.hidden = views.value === 'map'
    for (const [name, each] of Object.entries(shownBy)) each.element.hidden = name !== views.value
    shownBy[views.value].show(found, orders.order)
  }
  if (images.length > MANY) views.choose('table')
  else draw()
  const title = element('h2', { textContent: 'Pictures', tabIndex: -1 })
  const arrive = (): void => {
    draw()
    title.scrollIntoView()
    title.focus()
  }
  // A single picture needs neither to be found nor to be put in order.
  const fields = images.length > 1 ? [...filters.elements, orders.element] : []
  return {
    element: element(
      'section',
      { ariaLabel: 'Pictures', className: 'section' },
      element('div', { className: 'head' }, title, images.length > 1 ? count : undefined),
      element('div', { className: 'tools' }, views.element, ...fields),
      ...Object.values(shownBy).map((each) => each.element),
    ),
    get shown() {
      return found
    },
    show(kind) {
      filters.kinds.choose(kind)
      arrive()
    },
    showOnly(words, test) {
      filters.kinds.add(words, test)
      arrive()
    },
  }
}
