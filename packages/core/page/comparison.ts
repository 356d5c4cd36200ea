import type { PageImage } from '../src/report/page-shape.ts'
import { choice, element, labelled } from './element.ts'

const ZOOMS = ['fit', '1', '2', '4', '8'] as const

/**
 * Shows a difference as heat: the mean of its channels, sixteen times as bright, as a change that nobody sees in the
 * picture shall be seen here; from black over violet and orange to white. A filter needs no pixels in the script's
 * hands, which browsers refuse to pages of the disk.
 */
const HEAT = `<svg width="0" height="0" aria-hidden="true"><filter id="heat" color-interpolation-filters="sRGB">
<feColorMatrix values="5.33 5.33 5.33 0 0 5.33 5.33 5.33 0 0 5.33 5.33 5.33 0 0 0 0 0 0 1"/>
<feComponentTransfer><feFuncR type="table" tableValues="0 .35 .8 1 1"/><feFuncG type="table" tableValues="0 .05 .25 .7 1"/>
<feFuncB type="table" tableValues="0 .45 .3 .15 .9"/></feComponentTransfer></filter></svg>`

const picture = (src: string, alt: string): HTMLImageElement => element('img', { src, alt, decoding: 'async' })

/** The parts of a comparison that change with its controls. */
interface Parts {
  readonly pictures: readonly [before: HTMLImageElement, after: HTMLImageElement]
  readonly panes: readonly [before: HTMLElement, after: HTMLElement]
  readonly box: HTMLElement
  readonly view: HTMLSelectElement
  readonly split: HTMLInputElement
  readonly zoom: HTMLSelectElement
}

/**
 * Before and after, where both files are there: split by a slider, side by side with one scroll position, or as what
 * differs. Zoom and position are the same for both.
 */
export function createComparison(
  image: PageImage & { readonly beforeLink: string; readonly afterLink: string },
): HTMLElement {
  const pictures = [picture(image.beforeLink, 'Before'), picture(image.afterLink, 'After')] as const
  const panes = [pane(pictures[0], 'Before'), pane(pictures[1], 'After')] as const
  const box = element('div', { className: 'compare' }, ...panes)
  const view = choice([
    ['split', 'split'],
    ['both', 'side by side'],
    ['heat', 'heat map of the difference'],
  ])
  const split = element('input', { type: 'range', min: '0', max: '100', value: '50' })
  const zoom = choice(ZOOMS.map((each) => [each, each === 'fit' ? 'fit' : `${Number(each) * 100} %`] as const))
  const problem = element('p', { role: 'status' })

  const draw = (): void => arrange({ pictures, panes, box, view, split, zoom }, image)

  for (const [at, each] of panes.entries()) {
    each.addEventListener('scroll', () => {
      const other = panes[1 - at]!
      other.scrollTo(each.scrollLeft, each.scrollTop)
    })
  }
  for (const each of pictures) {
    each.addEventListener('load', draw)
    each.addEventListener('error', () => {
      problem.textContent = `${each.alt}: this file is no longer beside the report.`
    })
  }
  box.addEventListener('keydown', ({ key }) => {
    const at = zoom.selectedIndex + (key === '+' ? 1 : key === '-' ? -1 : 0)
    if (at === zoom.selectedIndex || at < 0 || at >= zoom.length) return
    zoom.selectedIndex = at
    draw()
  })
  view.addEventListener('change', draw)
  split.addEventListener('input', draw)
  zoom.addEventListener('change', draw)
  requestAnimationFrame(draw)
  const filter = element('div')
  filter.innerHTML = HEAT
  return element(
    'section',
    { ariaLabel: 'Before and after' },
    element(
      'div',
      { className: 'controls' },
      labelled('View', view),
      labelled('Before or after', split),
      labelled('Zoom', zoom),
    ),
    box,
    problem,
    filter,
  )
}

function pane(content: HTMLImageElement, label: string): HTMLElement {
  const stage = element('div', { className: 'stage' }, content)
  return element('div', { className: 'pane', tabIndex: 0, role: 'group', ariaLabel: label }, stage)
}

/** Puts both pictures where the view wants them, in the size of the zoom. */
function arrange({ pictures, panes, box, view, split, zoom }: Parts, image: PageImage): void {
  const [first, second] = panes
  const isBoth = view.value === 'both'
  box.dataset['view'] = view.value
  const stage = (isBoth ? second : first).firstElementChild!
  if (pictures[1].parentElement !== stage) stage.append(pictures[1])
  second.hidden = !isBoth
  first.ariaLabel = isBoth ? 'Before' : 'Before and after'
  const room = (box.clientWidth || 600) / (isBoth ? 2 : 1) - 2
  const own = image.width || pictures[1].naturalWidth || room
  const width = zoom.value === 'fit' ? Math.min(own, room) : (own * Number(zoom.value)) / devicePixelRatio
  const ratio = (image.height || pictures[1].naturalHeight || own) / own
  for (const each of pictures) Object.assign(each.style, { width: `${width}px`, height: `${width * ratio}px` })
  pictures[1].style.clipPath = view.value === 'split' ? `inset(0 0 0 ${split.value}%)` : 'none'
  split.disabled = view.value !== 'split'
  box.classList.toggle('pixels', Number(zoom.value) >= 2)
}
