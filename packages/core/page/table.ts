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
  /** The text of a cell is never broken into lines. */
  readonly isShort?: boolean
}

/** Rows that are in the document at once; a button shows the others. */
const MAX_ROWS = 200

/** A table that can be sorted and filled anew. */
export interface Table<Row> {
  readonly element: HTMLElement
  show(rows: readonly Row[]): void
}

/** A table whose headings put its rows in order: the columns' buttons say so to those who do not see it, too. */
export function createTable<Row>(caption: string, columns: readonly Column<Row>[], first: number): Table<Row> {
  let rows: readonly Row[] = []
  let sorted = first
  let ascending = columns[first]!.isNumber !== true
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
          ascending = at === sorted ? !ascending : isNumber !== true
          sorted = at
          draw()
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
    const ordered = rows.toSorted(comparison(columns[sorted]!, ascending))
    for (const [at, heading] of headings.entries()) {
      heading.ariaSort = at === sorted ? (ascending ? 'ascending' : 'descending') : 'none'
    }
    const shown = ordered.slice(0, most)
    body.replaceChildren(...shown.map((row) => element('tr', {}, ...columns.map((column) => cell(column, row)))))
    more.hidden = shown.length === ordered.length
    more.textContent = `Show ${Math.min(MAX_ROWS, ordered.length - shown.length)} more of ${ordered.length}`
  }

  const table = element(
    'table',
    {},
    element('caption', { textContent: caption }),
    element('thead', {}, element('tr', {}, ...headings)),
    body,
  )
  return {
    // An area that scrolls has to be reachable by keyboard.
    element: element('div', { className: 'scroll', tabIndex: 0, role: 'region', ariaLabel: caption }, table, more),
    show(next) {
      rows = next
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
