import { element, explainScore, bytesText, changeText, scoreText, typeLabel } from '@pixpress/face'
import type { PageImage } from '../src/report/page-shape.ts'
import { formatDuration } from '../src/report/units.ts'
import type { Column } from './table.ts'

/** A column of all images, which their pictures can be put in order by as well. */
export interface ImageColumn extends Column<PageImage> {
  /** Its values in words, by which pictures are put in order: `bytes saved`. */
  readonly order: string
}

/** Lists the columns of all images; their names open them. */
export const imageColumns = (open: (image: PageImage) => void): readonly ImageColumn[] => [
  { name: 'Image', order: 'name', value: ({ source }) => source, show: imageButton(open) },
  { name: 'Type', order: 'type', value: typeOf, isShort: true },
  { name: 'Width', order: 'width', value: ({ width }) => width || undefined, isNumber: true },
  {
    name: 'Before',
    order: 'bytes before',
    value: ({ before }) => before,
    show: ({ before }) => bytesText(before),
    isNumber: true,
  },
  {
    name: 'After',
    order: HEAVIEST,
    value: ({ after }) => after,
    show: ({ after }) => bytesText(after),
    isNumber: true,
  },
  { name: 'Bytes', order: 'bytes saved', value: ({ before, after }) => before - after, show: savedOf, isNumber: true },
  {
    name: 'Change',
    order: 'share saved',
    value: ({ before, after }) => (before === 0 ? 0 : 1 - after / before),
    show: ({ before, after }) => changeText(before, after),
    isNumber: true,
  },
  { name: 'Score', order: 'score', value: ({ score }) => score, show: scoreOf, isNumber: true, leastFirst: true },
  { name: 'Time', order: 'time', value: ({ milliseconds }) => milliseconds, show: timeOf, isNumber: true },
  { name: 'Why', order: 'reason', value: ({ why }) => why },
]

/** The order that a page opens with. */
export const HEAVIEST = 'bytes delivered'

/** Writes what was saved as the change that it is: `−113 kB`. */
const savedOf = ({ before, after }: PageImage): string =>
  `${after > before ? '+' : after < before ? '−' : ''}${bytesText(Math.abs(after - before))}`

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
