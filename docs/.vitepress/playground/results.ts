import {
  bytesText,
  changeText,
  createComparison,
  element,
  explainScore,
  scoreText,
  typeLabel,
} from '../../../packages/face/src/index.ts'
import type { Comparison } from '../../../packages/face/src/index.ts'
import type { Answer, Kept } from './messages.ts'

/** The results of one picture, as they come to be known. */
export interface Results {
  readonly element: HTMLElement
  take(answer: Answer): void
}

/** The state of one type: how many tries there were, a result, or why there is none. */
type Row = { readonly tries: number } | { readonly result: Kept } | { readonly why: string }

/** Makes the table of types and the comparison below it. */
export function createResults(source: Blob, name: string): Results {
  const rows = new Map<string, Row>()
  const body = element('tbody')
  const table = element(
    'table',
    { className: 'playground-table', hidden: true },
    element('caption', { className: 'unseen', textContent: `Types of ${name}` }),
    element('thead', {}, headOf('Compare', 'Bytes', '', 'Score', 'Made by')),
    body,
  )
  const place = element('div', { className: 'playground-compare' })
  const best = element('p', { className: 'playground-best' })
  let size = { width: 0, height: 0 }
  let comparison: Comparison | undefined
  let chosen = ''
  let isByHand = false

  const compare = (result: Kept): void => {
    chosen = result.type
    const after = sideOf(result.shown, `${typeLabel(result.type)}, ${bytesText(result.file.size)}`)
    if (comparison !== undefined) {
      comparison.show(after, size)
      return
    }
    const before = sideOf(source, `${typeLabel(source.type)}, ${bytesText(source.size)}`)
    comparison = createComparison({ name, before, after, size })
    place.replaceChildren(comparison.element)
  }
  const choose = (result: Kept): void => {
    isByHand = true
    compare(result)
    draw()
  }
  const draw = (): void => {
    body.replaceChildren(
      ...[...rows].map(([type, row]) => rowOf(type, row, { source, name, isChosen: type === chosen, choose })),
    )
    table.hidden = rows.size === 0
  }

  return {
    element: element('div', { className: 'playground-results' }, best, table, place),
    take(answer) {
      if (answer.kind === 'read') size = { width: answer.width, height: answer.height }
      if (answer.kind === 'trying') rows.set(answer.type, { tries: answer.tries })
      if (answer.kind === 'left') rows.set(answer.type, { why: answer.why })
      if (answer.kind === 'kept') {
        rows.set(answer.result.type, { result: answer.result })
        const smallest = smallestOf(rows)!
        best.textContent = bestText(smallest, source)
        if (!isByHand && smallest.type !== chosen) compare(smallest)
      }
      draw()
    },
  }
}

const resultsOf = (rows: ReadonlyMap<string, Row>): Kept[] =>
  [...rows.values()].flatMap((row) => ('result' in row ? [row.result] : []))

const smallestOf = (rows: ReadonlyMap<string, Row>): Kept | undefined =>
  resultsOf(rows).sort((one, other) => one.file.size - other.file.size)[0]

function bestText({ type, file }: Kept, source: Blob): string {
  return file.size < source.size
    ? `${bytesText(source.size)} → ${bytesText(file.size)} as ${typeLabel(type)}, ${changeText(source.size, file.size)}`
    : 'Nothing here is smaller than the file itself: pixpress would leave it as it is.'
}

/** One side of the comparison. The URL lives as long as the page, as the visitor may come back to it. */
const sideOf = (blob: Blob, facts: string): { source: string; facts: string; missing: string } => ({
  source: URL.createObjectURL(blob),
  facts,
  missing: 'This browser cannot show the picture.',
})

const headOf = (...names: readonly string[]): HTMLElement =>
  element(
    'tr',
    {},
    ...names.map((name) => (name === '' ? element('td') : element('th', { textContent: name, scope: 'col' }))),
  )

interface RowContext {
  readonly source: Blob
  readonly name: string
  readonly isChosen: boolean
  readonly choose: (result: Kept) => void
}

function rowOf(type: string, row: Row, { source, name, isChosen, choose }: RowContext): HTMLElement {
  const label = typeLabel(type)
  if (!('result' in row)) {
    const text = 'why' in row ? row.why : `try ${row.tries} …`
    const rest = element('td', { colSpan: 4, className: 'dim', textContent: text })
    return element('tr', {}, element('th', { scope: 'row', textContent: label }), rest)
  }
  const { result } = row
  const pick = element('button', {
    type: 'button',
    className: 'button',
    textContent: label,
    ariaPressed: String(isChosen),
  })
  pick.addEventListener('click', () => choose(result))
  const extension = type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length)
  const link = element('a', {
    href: URL.createObjectURL(result.file),
    download: `${name.replace(/\.\w+$/, '')}.${extension}`,
    textContent: bytesText(result.file.size),
    ariaLabel: `Save ${label}, ${bytesText(result.file.size)}`,
  })
  const bar = element('div', { className: 'bar' }, element('i'))
  bar.querySelector('i')!.style.width = `${Math.min(100, (result.file.size / source.size) * 100)}%`
  const change = element('td', {}, changeText(source.size, result.file.size), bar)
  const score = element('td', { textContent: scoreText(result.score), title: explainScore(result.score) })
  const maker = element('td', { className: 'dim', textContent: `${result.by}, ${result.setting}` })
  return element('tr', {}, element('th', { scope: 'row' }, pick), element('td', {}, link), change, score, maker)
}
