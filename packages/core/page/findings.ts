import type { PageData, PageImage } from '../src/report/page-shape.ts'
import { formatBytes } from '../src/report/units.ts'
import { element } from './element.ts'

/**
 * Lists the findings that a person may act on: the step that saves most, broken images, photographs as PNG, files under
 * several names. Nothing where there is none.
 */
export function findings({ images, failures, worth }: PageData): HTMLElement | undefined {
  const lists = [
    list('Worth most', worth === undefined ? [] : [worth]),
    list(
      'Broken, and kept as they are',
      failures.map(({ source, code, message }) => `${source}: ${message} (${code})`),
    ),
    list('Photographs that are delivered as PNG', photographs(images)),
    list('The same bytes under several names', duplicates(images)),
    list('Why images are no smaller', reasons(images)),
  ].filter((each) => each !== undefined)
  if (lists.length === 0) return undefined
  return element('section', { ariaLabel: 'Findings' }, element('h2', { textContent: 'Findings' }), ...lists)
}

function list(title: string, lines: readonly string[]): HTMLElement | undefined {
  if (lines.length === 0) return undefined
  return element(
    'details',
    { open: lines.length <= 8 },
    element('summary', { textContent: `${title} (${lines.length})` }),
    element('ul', {}, ...lines.map((textContent) => element('li', { textContent }))),
  )
}

const photographs = (images: readonly PageImage[]): string[] =>
  images
    .filter(({ isPhotoAsPng }) => isPhotoAsPng === true)
    .map(({ source, width, after }) => `${source}, ${width} pixels wide: ${formatBytes(after)}`)

/** Each set once, however many widths and types are made of it. */
function duplicates(images: readonly PageImage[]): string[] {
  const sets = images.flatMap(({ source, before, duplicates: others }) =>
    others === undefined ? [] : [`${[source, ...others].sort().join(' = ')}, ${formatBytes(before)} each`],
  )
  return [...new Set(sets)]
}

function reasons(images: readonly PageImage[]): string[] {
  const counts = new Map<string, number>()
  for (const { kind } of images) if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${count} × ${kind}`)
}
