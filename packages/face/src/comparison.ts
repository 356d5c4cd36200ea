import { element } from './element.ts'
import { ZOOMS, moved, shownSize } from './geometry.ts'
import type { Size, Zoom } from './geometry.ts'
import { HEAT_FILTER } from './heat.ts'
import { segmentedButtons } from './segments.ts'
import type { Segments } from './segments.ts'
import { createStage } from './stage.ts'
import type { Picture, Side, Stage } from './stage.ts'

/** How the two pictures are shown. */
export interface ComparisonState {
  readonly view: View
  readonly zoom: Zoom
}

/** The view of a picture before and after. */
export interface Comparison {
  readonly element: HTMLElement
  /** How they are shown now, for the next comparison. */
  readonly state: ComparisonState
  /** Puts another result in place of the one that is shown, with zoom and divider as they are. */
  show(after: Side, size: Size): void
}

type View = 'divider' | 'side' | 'differences'

const VIEWS = [
  ['divider', 'Divider'],
  ['side', 'Side by side'],
  ['differences', 'Differences'],
] as const

const ZOOM_NAMES = ZOOMS.map((zoom) => [zoom, zoom === 'fit' ? 'Fit' : `${zoom}×`] as const)

/**
 * Compares two pictures: on top of each other with a divider that lies on them, side by side with one scroll position,
 * or by what differs. `+` and `−` zoom, and arrow keys move the divider.
 * @param state how they are shown at first, as an earlier comparison was
 */
export function createComparison(
  picture: Picture,
  { view, zoom }: ComparisonState = { view: 'divider', zoom: 'fit' },
): Comparison {
  const stage = createStage(picture)
  let size = picture.size
  let at = 0.5

  const draw = (): void => {
    const { room } = stage
    const isSide = views.value === 'side'
    const own = size.width > 0 && size.height > 0 ? size : stage.ownSize
    const width = isSide ? (room.width - 2) / 2 : room.width
    stage.resize(shownSize(own, { ...room, width }, zooms.value, devicePixelRatio), own)
    whole.classList.toggle('pixels', zooms.value !== 'fit' && Number(zooms.value) > 1)
    stage.divide(at)
  }
  const views: Segments<View> = segmentedButtons('View', VIEWS, (chosen) => {
    whole.dataset['view'] = chosen
    draw()
  })
  const zooms: Segments<Zoom> = segmentedButtons('Zoom', ZOOM_NAMES, () => {
    whole.dataset['zoom'] = zooms.value
    stage.keepCentre(draw)
  })
  const whole = element(
    'figure',
    { className: 'compare', ariaLabel: `${picture.name}, before and after` },
    element('div', { className: 'compare-tools' }, views.element, heatKey(), zooms.element),
    stage.element,
  )
  whole.dataset['view'] = 'divider'
  whole.dataset['zoom'] = 'fit'

  const divide = (share: number): void => {
    at = share
    stage.divide(at)
  }
  stage.onDrag(divide)
  stage.onReady(draw)
  connectKeys(whole, { stage, zooms, position: () => at, divide })
  new ResizeObserver(draw).observe(stage.element)
  if (view !== views.value) views.choose(view)
  if (zoom !== zooms.value) zooms.choose(zoom)
  return {
    element: whole,
    get state() {
      return { view: views.value, zoom: zooms.value }
    },
    show(after, newSize) {
      size = newSize
      stage.showAfter(after)
      draw()
    },
  }
}

interface Keys {
  readonly stage: Stage
  readonly zooms: Segments<Zoom>
  readonly position: () => number
  readonly divide: (share: number) => void
}

function connectKeys(whole: HTMLElement, { stage, zooms, position, divide }: Keys): void {
  stage.grip.addEventListener('keydown', (event) => {
    const next = moved(position(), event.key, event.shiftKey)
    if (next === undefined) return
    event.preventDefault()
    divide(next)
  })
  whole.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
    const step = key === '+' || key === '=' ? 1 : key === '-' || key === '−' ? -1 : 0
    const next = ZOOMS[ZOOMS.indexOf(zooms.value) + step]
    // With Ctrl or Cmd, the browser zooms the whole page.
    if (step !== 0 && next !== undefined && !ctrlKey && !metaKey) zooms.choose(next)
  })
}

/** Explains the colours of the differences, and holds the filter that makes them. */
function heatKey(): HTMLElement {
  const key = element(
    'div',
    { className: 'heat-key' },
    element('span', { textContent: 'same' }),
    element('i'),
    element('span', { textContent: '16 of 255 levels or more' }),
  )
  key.insertAdjacentHTML('beforeend', HEAT_FILTER)
  return key
}
