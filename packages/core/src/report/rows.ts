import type picocolors from 'picocolors'
import type { TableStyle } from './terminal.ts'
import { padLeft, padRight, shortenPath, textWidth } from './text-width.ts'

const INDENT = '  '
const GAP = '  '

/** If names have fewer columns, the table drops other cells to make room for them. */
const MIN_NAME = 14

type Colors = Pick<ReturnType<typeof picocolors.createColors>, 'dim' | 'green' | 'yellow'>

/** A row of the table, as text. */
export interface Row {
  readonly path: string
  /** Follows the path: ` 320-640w`. */
  readonly label: string
  readonly type: string
  readonly before: string
  readonly after: string
  readonly change: string
  readonly state: string
}

/** Cells after the path, in order. */
type Cell = 'type' | 'before' | 'after' | 'change' | 'state'

/** Formats the rows as lines that fit the width: cells are dropped and paths shortened as needed. */
export function aligned(rows: readonly Row[], { width }: TableStyle, colors: Colors): string[] {
  const widthOf = (cell: Cell): number => widest(rows.map((row) => row[cell]))
  const widths: Record<Cell, number> = {
    type: widthOf('type'),
    before: widthOf('before'),
    after: widthOf('after') + ARROW.length,
    change: widthOf('change'),
    state: widthOf('state'),
  }
  const gapOf = (cell: Cell): number => (cell === 'after' && widths.before > 0 ? 1 : GAP.length)
  const room = (): number =>
    (Object.keys(widths) as Cell[])
      .filter((cell) => widths[cell] > 0)
      .reduce((left, cell) => left - widths[cell] - gapOf(cell), width - INDENT.length)
  const needed = Math.min(MIN_NAME, widest(rows.map(({ path, label }) => path.replace(/^.*\//, '') + label)))
  for (const cell of dispensable(rows)) if (room() < needed) widths[cell] = 0
  const pathWidth = Math.min(widest(rows.map(({ path, label }) => path + label)), room())
  return rows.map((row) => {
    const cells: string[] = [padRight(shortenPath(row.path, pathWidth, row.label), pathWidth)]
    if (widths.type > 0) cells.push(colors.dim(padRight(row.type, widths.type)))
    const after = padLeft(row.after, widths.after - ARROW.length)
    cells.push(widths.before > 0 ? `${padLeft(row.before, widths.before)} ${ARROW}${after}` : `${ARROW}${after}`)
    if (widths.change > 0) cells.push(tinted(row.change, colors)(padLeft(row.change, widths.change)))
    if (widths.state > 0 && row.state !== '') cells.push(colors.dim(row.state))
    return INDENT + cells.join(GAP)
  })
}

const ARROW = '→ '

/** Cells that a narrow terminal drops, in this order. The type stays where it alone tells rows of one image apart. */
function dispensable(rows: readonly Row[]): readonly Cell[] {
  const names = new Set(rows.map(({ path, label }) => path + label))
  return names.size === rows.length ? ['state', 'type', 'before', 'change'] : ['state', 'before', 'type', 'change']
}

function tinted(change: string, colors: Colors): (text: string) => string {
  if (change.startsWith('-')) return colors.green
  return change.startsWith('+') ? colors.yellow : colors.dim
}

const widest = (texts: readonly string[]): number => texts.reduce((most, text) => Math.max(most, textWidth(text)), 0)
