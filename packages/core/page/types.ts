import { bytesText, changeText, createBars, element, typeLabel } from '@pixpress/face'
import type { PageData, PageImage } from '../src/report/page-shape.ts'

/** The images of one type, and of that which they became. */
interface Group {
  readonly name: string
  readonly before: number
  readonly after: number
}

/** Bytes before and after, as bars: one line for each type, and for each type that it became. */
export function types({ images }: PageData): HTMLElement | undefined {
  const groups = groupsOf(images)
  if (groups.length === 0) return undefined
  const rows = groups.map(({ name, before, after }) => ({
    name,
    before,
    after,
    figures: [bytesText(before), bytesText(after), changeText(before, after)],
  }))
  const sources = new Set(images.map(({ source }) => source))
  const offered = new Set(images.map(({ source, type }) => `${type} ${source}`))
  const note = offered.size > sources.size ? ', in every type that it is offered in' : ''
  return element(
    'section',
    { ariaLabel: 'Bytes by type', className: 'section' },
    element('h2', { textContent: 'Bytes by type' }),
    createBars('Bytes by type, before and after', ['Before', 'After', 'Change'], rows),
    element('p', { className: 'small dim', textContent: `Each picture once, at its largest${note}.` }),
  )
}

/** Sums up the largest image of each source in each type that it became; what was heaviest comes first. */
function groupsOf(images: readonly PageImage[]): readonly Group[] {
  const largest = new Map<string, PageImage>()
  for (const image of images) {
    const key = `${image.type} ${image.source}`
    if (image.after > (largest.get(key)?.after ?? -1)) largest.set(key, image)
  }
  const groups = new Map<string, Group>()
  for (const { type, inputType, before, after } of largest.values()) {
    const name = type === inputType ? typeLabel(type) : `${typeLabel(inputType)} → ${typeLabel(type)}`
    const { before: was, after: is } = groups.get(name) ?? { before: 0, after: 0 }
    groups.set(name, { name, before: was + before, after: is + after })
  }
  return [...groups.values()].sort((a, b) => b.before - a.before || b.after - a.after)
}
