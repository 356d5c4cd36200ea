import { choice, element, labelled } from '@pixpress/face'
import { HEAVIEST } from './image-table.ts'
import type { ImageColumn } from './image-table.ts'
import { orderBy } from './table.ts'
import type { Order } from './table.ts'

/** The order of the pictures, which is the same in every view. */
export interface Orders {
  readonly element: HTMLElement
  readonly order: Order
  /** The order in words: `By bytes saved, largest first`. */
  readonly words: string
  /** Takes over an order that was chosen elsewhere. */
  choose(order: Order): void
}

/** Creates the lists to choose an order from: by what, and where to begin. */
export function createOrders(columns: readonly ImageColumn[], onChange: () => void): Orders {
  let order = orderBy(
    columns,
    columns.findIndex(({ order: name }) => name === HEAVIEST),
  )
  const by = choice(columns.map(({ order: name }, at) => [String(at), name] as const))
  const direction = element('select', { className: 'field', ariaLabel: 'Begin with' })

  const tell = (): void => {
    by.value = String(order.column)
    const words = directions(columns[order.column]!)
    direction.replaceChildren(
      ...words.map(([value, textContent]) => element('option', { value, textContent, selected: value === chosen() })),
    )
  }
  const chosen = (): string => (order.ascending ? 'up' : 'down')
  const take = (next: Order): void => {
    order = next
    tell()
    onChange()
  }
  by.addEventListener('change', () => take(orderBy(columns, Number(by.value))))
  direction.addEventListener('change', () => take({ ...order, ascending: direction.value === 'up' }))
  tell()
  return {
    element: element('div', { className: 'order' }, labelled('Sort', by), direction),
    get order() {
      return order
    },
    get words() {
      const column = columns[order.column]!
      return `By ${column.order}, ${directions(column).find(([value]) => value === chosen())![1]}`
    },
    choose: take,
  }
}

/** The two ways through a column, that which it begins with before the other. */
function directions({ isNumber, leastFirst }: ImageColumn): readonly (readonly [value: string, shown: string])[] {
  const up = ['up', isNumber === true ? 'smallest first' : 'A to Z'] as const
  const down = ['down', isNumber === true ? 'largest first' : 'Z to A'] as const
  return isNumber === true && leastFirst !== true ? [down, up] : [up, down]
}
