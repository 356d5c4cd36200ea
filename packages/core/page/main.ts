import { element } from '@pixpress/face'
import type { PageData } from '../src/report/page-shape.ts'
import { formatDuration } from '../src/report/units.ts'
import { baseline } from './baseline.ts'
import { changes } from './changes.ts'
import { delivered } from './delivered.ts'
import { createDetail } from './detail.ts'
import { imageButton } from './image-table.ts'
import { opening } from './opening.ts'
import { createPictures } from './pictures.ts'
import type { Pictures } from './pictures.ts'
import { reasons } from './reasons.ts'
import { scores } from './scores.ts'
import { steps } from './steps.ts'
import { types } from './types.ts'

const data = JSON.parse(document.querySelector('#data')!.textContent!) as PageData
const detail = createDetail(data.images, () => pictures.shown)
const pictures: Pictures = createPictures(data, detail.open)

function time(): HTMLElement | undefined {
  const sum = data.phases.reduce((all, [, each]) => all + each, 0)
  if (sum === 0) return undefined
  const rows = data.phases.map(([name, milliseconds]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', textContent: name }),
      element('td', {}, element('meter', { max: sum, value: milliseconds, ariaLabel: name })),
      element('td', { className: 'number', textContent: formatDuration(milliseconds) }),
    ),
  )
  return element(
    'section',
    { ariaLabel: 'Time', className: 'section' },
    element('h2', { textContent: 'Where the time went' }),
    element('p', { textContent: `${formatDuration(sum)} of all threads together.` }),
    element('table', { className: 'time' }, element('tbody', {}, ...rows)),
  )
}

/** Puts figures that have a length side by side where there is room. */
function measures(parts: readonly (HTMLElement | undefined)[]): HTMLElement {
  return element('div', { className: 'measures' }, ...parts)
}

const sections = [
  opening(data),
  changes(data),
  steps(data, pictures.show),
  measures([scores(data, pictures), types(data)]),
  data.images.length > 0 ? pictures.element : undefined,
  reasons(data),
  baseline(data, imageButton(detail.open)),
  delivered(data),
  time(),
]
document.querySelector('#report')!.replaceChildren(...sections.filter((each) => each !== undefined), detail.element)
