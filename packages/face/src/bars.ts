import { element } from './element.ts'

/** A line of bars with the figures that they stand for. */
export interface BarRow {
  readonly name: string
  /** Bytes before, which are grey, and after. A bar that is absent is not drawn. */
  readonly before?: number | undefined
  readonly after?: number | undefined
  /** The figures behind the bars, as they are shown. */
  readonly figures: readonly string[]
}

/** Headings of figures that have the colour of their bars beside them. */
const KEYS: ReadonlySet<string> = new Set(['Before', 'After'])

/**
 * Bars on one scale, as a table: those who do not see the bars read their figures.
 * @param caption what the bars are of
 * @param headings of the figures
 */
export function createBars(caption: string, headings: readonly string[], rows: readonly BarRow[]): HTMLElement {
  const most = Math.max(1, ...rows.flatMap(({ before = 0, after = 0 }) => [before, after]))
  const bar = (className: string, bytes: number | undefined): HTMLElement | undefined => {
    if (bytes === undefined) return undefined
    const made = element('i', { className })
    made.style.width = `${(100 * bytes) / most}%`
    return made
  }
  return element(
    'table',
    { className: 'bars' },
    element('caption', { textContent: caption }),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('th', { scope: 'col', textContent: 'Type' }),
        element('td'),
        ...headings.map((textContent) =>
          element('th', {
            scope: 'col',
            className: `number ${KEYS.has(textContent) ? `key-${textContent.toLowerCase()}` : ''}`,
            textContent,
          }),
        ),
      ),
    ),
    element(
      'tbody',
      {},
      ...rows.map(({ name, before, after, figures }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row', textContent: name }),
          element('td', {}, bar('bar-before', before), bar('bar-after', after)),
          ...figures.map((textContent) => element('td', { className: 'number', textContent })),
        ),
      ),
    ),
  )
}
