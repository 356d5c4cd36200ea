import { element } from '@pixpress/face'
import type { PageData } from '../src/report/page-shape.ts'

/** Says why images are no smaller, each reason once with its number; nothing where there is none. */
export function reasons({ images }: PageData): HTMLElement | undefined {
  const counts = new Map<string, number>()
  for (const { kind } of images) if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  if (counts.size === 0) return undefined
  const lines = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([kind, count]) => element('li', { textContent: `${count} × ${kind}` }))
  return element(
    'section',
    { ariaLabel: 'Why images are no smaller', className: 'section' },
    element('h2', { textContent: 'Why images are no smaller' }),
    element('ul', { className: 'lines' }, ...lines),
  )
}
