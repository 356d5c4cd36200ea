import type { MadeImage } from '../src/session/report/seen-images.ts'
import { byId, element } from './element.ts'

/** Shows an image before and after in one box, with a divider and a zoom. */
export function comparison(id: string, made: MadeImage): HTMLElement[] {
  const before = element('img', { src: `source/${id}`, alt: 'Before' })
  const after = element('img', { src: `image/${id}`, alt: 'After', className: 'after' })
  const box = element('div', { className: 'compare', tabIndex: 0 }, before, after)
  const split = element('input', { type: 'range', min: '0', max: '100', value: '50', id: 'split' })
  const steps = [1, 2, 4, 8].map((each) => [String(each), `${each * 100} %`] as const)
  const options = [['fit', 'fit'] as const, ...steps]
  const zoom = element(
    'select',
    { id: 'zoom' },
    ...options.map(([value, textContent]) => element('option', { value, textContent })),
  )
  const draw = (): void => {
    const fitting = Math.min(made.width, byId('detail').clientWidth - 40)
    const width = zoom.value === 'fit' ? fitting : (made.width * Number(zoom.value)) / devicePixelRatio
    const height = (width * made.height) / made.width
    for (const each of [before, after]) Object.assign(each.style, { width: `${width}px`, height: `${height}px` })
    before.style.objectFit = 'cover'
    box.classList.toggle('pixels', Number(zoom.value) >= 2)
    after.style.clipPath = `inset(0 0 0 ${split.value}%)`
  }
  split.addEventListener('input', draw)
  zoom.addEventListener('change', draw)
  box.addEventListener('keydown', ({ key }) => {
    const at = zoom.selectedIndex + (key === '+' ? 1 : key === '-' ? -1 : 0)
    if (at === zoom.selectedIndex || at < 0 || at >= zoom.length) return
    zoom.selectedIndex = at
    draw()
  })
  draw()
  const labels = [element('label', {}, 'Before', split, 'After'), element('label', {}, 'Zoom', zoom)]
  return [element('div', { className: 'controls' }, ...labels), box]
}
