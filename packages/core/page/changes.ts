import type { PageChange, PageData } from '../src/report/page-shape.ts'

import { element, bytesText, changeText } from '@pixpress/face'
import { createTable } from './table.ts'

/** Lists the changes since the older report; nothing without one. */
export function changes(data: PageData): HTMLElement | undefined {
  if (data.changes === undefined) return undefined
  const { list, unchanged, old, new: made } = data.changes
  const table = createTable<PageChange>(
    'What has changed',
    [
      { name: 'Image', value: ({ source }) => source },
      { name: 'What', value: ({ state }) => state },
      { name: 'Type', value: ({ type }) => type },
      { name: 'Width', value: ({ width }) => width || undefined, isNumber: true },
      { name: 'Older', value: (each) => each.old, show: (each) => bytes(each.old), isNumber: true },
      { name: 'Newer', value: (each) => each.new, show: (each) => bytes(each.new), isNumber: true },
      {
        name: 'Bytes',
        value: (each) => (each.new ?? 0) - (each.old ?? 0),
        show: (each) => signed((each.new ?? 0) - (each.old ?? 0)),
        isNumber: true,
      },
      { name: 'Score', value: ({ newScore }) => newScore, show: scores, isNumber: true },
    ],
    6,
  )
  table.show(list)
  return element(
    'section',
    { ariaLabel: 'Changes', className: 'section' },
    element('h2', { textContent: 'Since the older report' }),
    element('p', {
      textContent: `${list.length} changed, ${unchanged} unchanged: ${bytesText(old)} → ${bytesText(made)} (${changeText(old, made)})`,
    }),
    list.length === 0 ? undefined : table.element,
  )
}

const signed = (bytes: number): string => `${bytes < 0 ? '−' : '+'}${bytesText(Math.abs(bytes))}`

const scores = ({ oldScore, newScore }: PageChange): string =>
  [oldScore, newScore].flatMap((score) => (score === undefined ? [] : [score.toFixed(1)])).join(' → ')

const bytes = (count: number | undefined): string => (count === undefined ? '' : bytesText(count))
