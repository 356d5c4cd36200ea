import type { PageBaseline, PageData, PageImage } from '../src/report/page-shape.ts'

import { element, bytesText, changeText } from '@pixpress/face'
import { createTable } from './table.ts'

type Compared = PageImage & { readonly baseline: PageBaseline }

const isCompared = (image: PageImage): image is Compared => image.baseline !== undefined

/**
 * The images beside what the tool in whose place they were made would have delivered. Nothing where that was not
 * measured.
 * @param name shows an image's name
 */
export function baseline(
  { images, baseline: sentences }: PageData,
  name: (image: PageImage) => HTMLElement,
): HTMLElement | undefined {
  if (sentences === undefined) return undefined
  const compared = images.filter(isCompared)
  const tool = [...new Set(compared.map((image) => image.baseline.tool))].sort().join(' and ')
  const table = createTable<Compared>(
    `Compared with ${tool}`,
    [
      { name: 'Image', value: ({ source }) => source, show: name },
      { name: 'Width', value: ({ width }) => width || undefined, isNumber: true },
      { name: 'Source', value: ({ before }) => before, show: ({ before }) => bytesText(before), isNumber: true },
      { name: tool, value: (image) => image.baseline.size, show: theirs, isNumber: true },
      { name: 'Delivered', value: ({ after }) => after, show: ours, isNumber: true },
      {
        name: 'Change',
        value: (image) => image.after / image.baseline.size,
        show: (image) => changeText(image.baseline.size, image.after),
        isNumber: true,
      },
      { name: 'Their score', value: (image) => image.baseline.score, show: scoreOf, isNumber: true },
      { name: 'Their promise', value: (image) => promiseOf(image.baseline) },
    ],
    5,
  )
  table.show(compared)
  return element(
    'section',
    { ariaLabel: `Compared with ${tool}`, className: 'section' },
    element('h2', { textContent: `Compared with what ${tool} would have written` }),
    ...sentences.map((textContent) => element('p', { textContent })),
    table.element,
  )
}

const theirs = (image: Compared): string => `${image.baseline.type} ${bytesText(image.baseline.size)}`

const ours = ({ type, after }: Compared): string => `${type} ${bytesText(after)}`

const scoreOf = (image: Compared): string => image.baseline.score?.toFixed(1) ?? ''

function promiseOf({ keepsPromise }: PageBaseline): string {
  if (keepsPromise === undefined) return 'not comparable'
  return keepsPromise ? 'kept' : 'not kept'
}
