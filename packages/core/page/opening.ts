import { element, bytesText, countText } from '@pixpress/face'
import type { PageData } from '../src/report/page-shape.ts'
import { formatDuration } from '../src/report/units.ts'

/** The page opens with one sentence and one bar: what was saved. */
export function opening(data: PageData): HTMLElement {
  const { totals, images } = data
  const { before, after, made } = totals
  const saved = before - after
  const percent = before === 0 ? 0 : Math.min(after > 0 ? 99 : 100, Math.round((saved / before) * 100))
  const title = saved > 0 ? `You saved ${bytesText(saved)}, ${percent} %` : 'Nothing was saved'
  const fill = element('div', { className: 'sum-fill' })
  fill.style.width = `${before === 0 ? 0 : Math.min(100, (after / before) * 100)}%`
  const widths = made > after ? [element('span', {}, `${bytesText(made)} in all widths and types`)] : []
  return element(
    'section',
    { className: 'figure', ariaLabel: 'Result' },
    element('h1', { className: 'figure-large', textContent: title }),
    element(
      'p',
      { className: 'figure-sentence' },
      element('b', { textContent: bytesText(before) }),
      ' became ',
      element('b', { textContent: bytesText(after) }),
      `. ${promise(images)}`,
    ),
    element('div', { className: 'sum' }, element('div', { className: 'sum-track' }, fill), marks(totals)),
    element('p', { className: 'facts-line' }, ...facts(data), ...widths),
  )
}

/** Names the two parts of the bar. */
function marks({ before, after }: PageData['totals']): HTMLElement | undefined {
  if (after > before) return undefined
  return element(
    'p',
    { className: 'sum-marks' },
    mark('after', after, 'delivered'),
    mark('before', before - after, 'saved'),
  )
}

const mark = (kind: string, bytes: number, what: string): HTMLElement =>
  element('span', { className: `sum-mark ${kind}` }, element('b', { textContent: bytesText(bytes) }), ` ${what}`)

/** Says how the pictures look, by the lowest of their scores. */
function promise(images: PageData['images']): string {
  const scores = images.flatMap(({ score }) => (score === undefined ? [] : [score]))
  if (scores.length === 0) return 'No picture was changed where people look.'
  const lowest = Math.min(...scores)
  if (lowest >= 100) return 'Every pixel is as it was.'
  const least = Math.floor(lowest)
  if (lowest >= 80) return `Every picture looks as it did: all score ${least} or more.`
  return `The scores are ${least} or more of 100.`
}

function facts({ totals: { images, cached, milliseconds }, failures }: PageData): HTMLElement[] {
  const encoded = images - cached
  const made = cached === 0 ? '' : encoded === 0 ? ', all from the cache' : `, ${cached} of them from the cache`
  const broken = failures.filter(({ isBroken }) => isBroken).length
  const others = failures.length - broken
  const counts = [...(broken > 0 ? [`${broken} broken`] : []), ...(others > 0 ? [`${others} failed`] : [])]
  const link = element('a', { href: '#broken' }, element('span', { className: 'mark' }), ` ${counts.join(', ')}`)
  return [
    element('span', { textContent: `${countText(images, 'image')}${made}` }),
    element('span', { textContent: formatDuration(milliseconds) }),
    ...(failures.length > 0 ? [link] : []),
  ]
}
