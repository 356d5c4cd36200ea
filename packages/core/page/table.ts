import { element } from '@pixpress/face'

/** A column of a table. */
export interface Column<Row> {
  readonly name: string
  /** The value by which rows are sorted; rows without one come last. */
  readonly value: (row: Row) => number | string | undefined
  /** The content of the cell. Default: the value. */
  readonly show?: (row: Row) => string | Node
  /** The largest value comes first when the column is chosen. */
  readonly isNumber?: boolean
  /** The least number comes first nevertheless. */
  readonly leastFirst?: boolean
  /** The text of a cell is never broken into lines. */
  readonly isShort?: boolean
}

/** Rows that are in the document at once; a button shows the others. */
const MAX_ROWS = 200

/** The column by which rows are put in order, and whether the least value comes first. */
export interface Order {
  readonly column: number
  readonly ascending: boolean
}

/** A table that can be sorted and filled anew. */
export interface Table<Row> {
  readonly element: HTMLElement
  show(rows: readonly Row[], order?: Order): void
}

/** Returns the order of a column when it is chosen: the largest number comes first, and texts begin with A. */
export const orderBy = <Row>(columns: readonly Column<Row>[], column: number): Order => {
  const { isNumber, leastFirst } = columns[column]!
  return { column, ascending: isNumber !== true || leastFirst === true }
}

/** Puts rows in order; those without a value come last. */
export const ordered = <Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order): Row[] =>
  rows.toSorted(comparison(columns[order.column]!, order.ascending))

/**
 * A table whose headings put its rows in order: the columns' buttons say so to those who do not see it, too.
 * @param first the column that rows are put in order by at first
 * @param onOrder told of an order that was chosen by a heading
 */
export function createTable<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  first: number,
  onOrder: (order: Order) => void = () => undefined,
): Table<Row> {
  let rows: readonly Row[] = []
  let order = orderBy(columns, first)
  let most = MAX_ROWS
  const body = element('tbody')
  const headings = columns.map(({ name, isNumber }, at) =>
    element(
      'th',
      { scope: 'col', className: isNumber === true ? 'number' : '' },
      element('button', {
        type: 'button',
        textContent: name,
        onclick() {
          order = at === order.column ? { ...order, ascending: !order.ascending } : orderBy(columns, at)
          draw()
          onOrder(order)
        },
      }),
    ),
  )
  const more = element('button', {
    type: 'button',
    className: 'button',
    onclick() {
      most += MAX_ROWS
      draw()
    },
  })
  moveByArrows(body)

  function draw(): void {
    const sorted = ordered(rows, columns, order)
    for (const [at, heading] of headings.entries()) {
      heading.ariaSort = at === order.column ? (order.ascending ? 'ascending' : 'descending') : 'none'
    }
    const shown = sorted.slice(0, most)
    body.replaceChildren(...shown.map((row) => element('tr', {}, ...columns.map((column) => cell(column, row)))))
    more.hidden = shown.length === sorted.length
    more.textContent = `Show ${Math.min(MAX_ROWS, sorted.length - shown.length)} more of ${sorted.length}`
  }

  const head = element('thead', {}, element('tr', {}, ...headings))
  const table = element('table', {}, element('caption', { textContent: caption }), head, body)
  return {
    // An area that scrolls has to be reachable by keyboard.
    element: element('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: caption }, table, more),
    show(next, by = order) {
      rows = next
      order = by
      most = MAX_ROWS
      draw()
    },
  }
}

/** Moves the focus from the button of one row to that of the next by the arrow keys. */
function moveByArrows(body: HTMLElement): void {
  body.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    const buttons = [...body.querySelectorAll('button')]
    const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  })
}

/** Returns the order of a column, in which rows without a value come last. */
function comparison<Row>({ value }: Column<Row>, ascending: boolean): (a: Row, b: Row) => number {
  const sign = ascending ? 1 : -1
  return (a, b) => {
    const [left, right] = [value(a), value(b)]
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
    return left < right ? -sign : left > right ? sign : 0
  }
}

function cell<Row>({ value, show, isNumber, isShort }: Column<Row>, row: Row): HTMLElement {
  const className = isNumber === true ? 'number' : isShort === true ? 'short' : ''
  return element('td', { className }, show?.(row) ?? String(value(row) ?? ''))
}
