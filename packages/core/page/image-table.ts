import { element, explainScore, bytesText, changeText, scoreText, typeLabel } from '@pixpress/face'
import type { PageImage } from '../src/report/page-shape.ts'
import { formatDuration } from '../src/report/units.ts'
import { createTable } from './table.ts'
import type { Column, Table } from './table.ts'

/** Creates the table of all images; their names open them. */
export const createImageTable = (open: (image: PageImage) => void): Table<PageImage> =>
  createTable('Images', columns(open), 4)

const columns = (open: (image: PageImage) => void): readonly Column<PageImage>[] => [
  { name: 'Image', value: ({ source }) => source, show: imageButton(open) },
  { name: 'Type', value: typeOf, isShort: true },
  { name: 'Width', value: ({ width }) => width || undefined, isNumber: true },
  { name: 'Before', value: ({ before }) => before, show: ({ before }) => bytesText(before), isNumber: true },
  { name: 'After', value: ({ after }) => after, show: ({ after }) => bytesText(after), isNumber: true },
  {
    name: 'Change',
    value: ({ before, after }) => (before === 0 ? 0 : after / before - 1),
    show: ({ before, after }) => changeText(before, after),
    isNumber: true,
  },
  { name: 'Score', value: ({ score }) => score, show: scoreOf, isNumber: true },
  { name: 'Time', value: ({ milliseconds }) => milliseconds, show: timeOf, isNumber: true },
  { name: 'Why', value: ({ why }) => why },
]

/** Makes the button of an image: its thumbnail and name. */
export const imageButton =
  (open: (image: PageImage) => void) =>
  (image: PageImage): HTMLElement =>
    element(
      'button',
      { type: 'button', className: 'name', onclick: () => open(image) },
      image.thumbnail === undefined
        ? element('span', { className: 'thumbnail' })
        : element('img', { className: 'thumbnail', src: image.thumbnail, alt: '', loading: 'lazy' }),
      image.source,
    )

function typeOf({ type, inputType }: PageImage): string {
  return type === inputType ? typeLabel(type) : `${typeLabel(inputType)} → ${typeLabel(type)}`
}

/** The meaning of a score stands where the pointer rests on it; the open image says it to everybody. */
const scoreOf = ({ score }: PageImage): string | Node =>
  score === undefined ? '' : element('span', { textContent: scoreText(score), title: explainScore(score) })

const timeOf = ({ cached, milliseconds }: PageImage): string =>
  cached ? 'cached' : milliseconds === undefined ? '' : formatDuration(milliseconds)
