import type { PageData } from '../src/report/page-shape.ts'

import { element, bytesText } from '@pixpress/face'
import { createTable } from './table.ts'

type Page = NonNullable<PageData['delivered']>['pages'][number]

/**
 * Shows the images that each page of the build makes a browser load, by window. Nothing where the report lies beside no
 * pages.
 */
export function delivered({ delivered: data }: PageData): HTMLElement | undefined {
  if (data === undefined) return undefined
  const table = createTable<Page>(
    'Pages',
    [
      { name: 'Page', value: ({ page }) => page },
      { name: 'Images', value: ({ images, unknown }) => images + unknown, isNumber: true },
      ...data.viewports.map(({ width, ratio }, at) => ({
        name: `${width} px @ ${ratio}x`,
        value: ({ bytes }: Page) => bytes[at],
        show: ({ bytes }: Page) => bytesText(bytes[at]!),
        isNumber: true,
      })),
    ],
    2,
  )
  table.show(data.pages)
  const unknown = data.pages.reduce((sum, page) => sum + page.unknown, 0)
  const notes = [
    'Bytes of the images that a page’s own markup loads in each window, lazy ones included; backgrounds and what scripts add are not counted.',
    ...(unknown > 0
      ? [`${unknown === 1 ? '1 picture is' : `${unknown} pictures are`} elsewhere and not counted.`]
      : []),
    ...(data.more > 0 ? [`${data.more} lighter pages are not listed.`] : []),
  ]
  return element(
    'section',
    { ariaLabel: 'Delivered', className: 'section' },
    element('h2', { textContent: 'Delivered by page' }),
    element('p', { textContent: notes.join(' ') }),
    table.element,
  )
}
