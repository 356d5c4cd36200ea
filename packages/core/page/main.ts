import type { PageData, PageImage } from '../src/report/page-shape.ts'
import { formatBytes, formatChange, formatDuration } from '../src/report/units.ts'
import { baseline } from './baseline.ts'
import { changes } from './changes.ts'
import { delivered } from './delivered.ts'
import { createDetail } from './detail.ts'
import { choice, element, labelled } from './element.ts'
import { findings } from './findings.ts'
import { createMap } from './map.ts'
import { createTable } from './table.ts'
import type { Column } from './table.ts'

const data = JSON.parse(document.querySelector('#data')!.textContent!) as PageData
const detail = createDetail(data.images)

const share = (before: number, after: number): number => (before === 0 ? 0 : after / before - 1)

function totals(): HTMLElement {
  const { images, cached, failed, before, after, made, milliseconds } = data.totals
  const figures: [string, string][] = [
    ['images', `${images}`],
    ['before', formatBytes(before)],
    ['after', formatBytes(after)],
    ['change', formatChange(before, after)],
    ['all widths and types', formatBytes(made)],
    ['from the cache', `${cached}`],
    ['broken', `${failed}`],
    ['time', formatDuration(milliseconds)],
  ]
  const list = element('dl', { className: 'totals' })
  for (const [name, figure] of figures) {
    list.append(element('div', {}, element('dt', { textContent: name }), element('dd', { textContent: figure })))
  }
  return element('section', { ariaLabel: 'Totals' }, list)
}

const button = (image: PageImage): HTMLElement =>
  element(
    'button',
    { type: 'button', className: 'name', onclick: () => detail.open(image) },
    image.thumbnail === undefined
      ? element('span', { className: 'thumbnail' })
      : element('img', { className: 'thumbnail', src: image.thumbnail, alt: '', loading: 'lazy' }),
    image.source,
  )

const typeOf = ({ type, inputType }: PageImage): string => (type === inputType ? type : `${inputType} → ${type}`)

const timeOf = ({ cached, milliseconds }: PageImage): string =>
  cached ? 'cached' : milliseconds === undefined ? '' : formatDuration(milliseconds)

const IMAGE_COLUMNS: readonly Column<PageImage>[] = [
  { name: 'Image', value: ({ source }) => source, show: button },
  { name: 'Type', value: typeOf, isShort: true },
  { name: 'Width', value: ({ width }) => width || undefined, isNumber: true },
  { name: 'Before', value: ({ before }) => before, show: ({ before }) => formatBytes(before), isNumber: true },
  { name: 'After', value: ({ after }) => after, show: ({ after }) => formatBytes(after), isNumber: true },
  {
    name: 'Change',
    value: ({ before, after }) => share(before, after),
    show: ({ before, after }) => formatChange(before, after),
    isNumber: true,
  },
  { name: 'Score', value: ({ score }) => score, show: ({ score }) => score?.toFixed(1) ?? '', isNumber: true },
  { name: 'Time', value: ({ milliseconds }) => milliseconds, show: timeOf, isNumber: true },
  { name: 'Why', value: ({ why }) => why },
]

/** Images to choose from, by the words of the choice. */
const KINDS: Readonly<Record<string, (image: PageImage) => boolean>> = {
  all: () => true,
  'no smaller for a reason': ({ why }) => why !== undefined,
  'worked on now': ({ cached }) => !cached,
  'photographs as PNG': ({ isPhotoAsPng }) => isPhotoAsPng === true,
  'under several names': ({ duplicates }) => duplicates !== undefined,
  'with remarks': ({ notes }) => notes.length > 0,
}

function imageTable(): HTMLElement {
  const table = createTable('Images', IMAGE_COLUMNS, 4)
  const find = element('input', { type: 'search', autocomplete: 'off' })
  const types = [...new Set(data.images.map(({ type }) => type))].sort()
  const type = choice([['', 'all'], ...types.map((each) => [each, each] as const)])
  const kind = choice(Object.keys(KINDS).map((each) => [each, each] as const))
  const count = element('p', { role: 'status' })
  const show = (): void => {
    const words = find.value.toLowerCase()
    const shown = data.images.filter(
      (image) =>
        image.source.toLowerCase().includes(words) &&
        (type.value === '' || type.value === image.type) &&
        KINDS[kind.value]!(image),
    )
    const bytes = shown.reduce((sum, { after }) => sum + after, 0)
    count.textContent = `${shown.length} of ${data.images.length} images, ${formatBytes(bytes)}`
    table.show(shown)
  }
  find.addEventListener('input', show)
  type.addEventListener('change', show)
  kind.addEventListener('change', show)
  show()
  return element(
    'section',
    { ariaLabel: 'All images' },
    element('h2', { textContent: 'Images' }),
    element(
      'div',
      { className: 'controls' },
      labelled('Find', find),
      labelled('Type', type),
      labelled('Which', kind),
      count,
    ),
    table.element,
  )
}

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
    { ariaLabel: 'Time' },
    element('h2', { textContent: 'Where the time went' }),
    element('p', { textContent: `${formatDuration(sum)} of all threads together.` }),
    element('table', { className: 'time' }, element('tbody', {}, ...rows)),
  )
}

const sections = [
  totals(),
  changes(data),
  findings(data),
  createMap(data.images, detail.open),
  imageTable(),
  baseline(data, button),
  delivered(data),
  time(),
]
document.querySelector('#report')!.replaceChildren(...sections.filter((each) => each !== undefined), detail.element)
