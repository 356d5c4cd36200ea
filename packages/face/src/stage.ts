import { connectDrag } from './drag.ts'
import { element } from './element.ts'
import { shared } from './geometry.ts'
import type { Size, Span } from './geometry.ts'

/** One of the two pictures. */
export interface Side {
  readonly source: string
  /** Type and bytes: `AVIF, 16.8 kB`. */
  readonly facts: string
  /** A sentence for a picture that the browser cannot load or show. */
  readonly missing: string
}

/** The two pictures to compare. */
export interface Picture {
  readonly name: string
  readonly before: Side
  readonly after: Side
  /** Pixels of the result; 0 where they are not known, as of an SVG. */
  readonly size: Size
}

/** The area that shows the pictures, and the divider on it. */
export interface Stage {
  readonly element: HTMLElement
  /** The divider's handle, a slider. */
  readonly grip: HTMLElement
  /** The size of the area in CSS pixels. */
  readonly room: Size
  /** The size of the pictures themselves, as far as they have been loaded. */
  readonly ownSize: Size
  /** Gives the pictures a size in CSS pixels; the area takes the proportions of `own`. */
  resize(shown: Size, own: Size): void
  /** Puts the divider at a share of what can be seen of the picture. */
  divide(share: number): void
  /** Runs what resizes the pictures, and leaves in the middle what was there before. */
  keepCentre(resize: () => void): void
  showAfter(after: Side): void
  onDrag(divide: (share: number) => void): void
  /** Calls back whenever a picture was loaded, or the area was scrolled. */
  onReady(draw: () => void): void
}

/** The size of a picture of which nothing is known: that of an `<img>` without one, in HTML. */
const UNKNOWN: Size = { width: 300, height: 150 }

/** Creates the area. */
export function createStage(picture: Picture): Stage {
  const parts = createParts(picture)
  const { stage, first, second, pair, source, result, beside, facts, grip } = parts
  const problem = reportMissing(parts, picture)
  scrollTogether(first, second)

  /** Returns the part of the stage's width in which the picture can be seen, in pixels of the window. */
  const visible = (): Span => {
    const [whole, own] = [stage.getBoundingClientRect(), pair.getBoundingClientRect()]
    return shared({ start: whole.left, end: whole.right }, { start: own.left, end: own.right })
  }

  return {
    element: stage,
    grip,
    get room() {
      return { width: stage.clientWidth, height: stage.clientHeight }
    },
    get ownSize() {
      const loaded = [result, source].find(({ naturalWidth }) => naturalWidth > 0)
      return loaded === undefined ? UNKNOWN : { width: loaded.naturalWidth, height: loaded.naturalHeight }
    },
    resize(shown, own) {
      stage.style.setProperty('--ratio', `${own.width} / ${own.height}`)
      stage.style.setProperty('--picture-width', `${shown.width}px`)
      stage.style.setProperty('--picture-height', `${shown.height}px`)
    },
    divide: (share) => divide(parts, visible(), share),
    keepCentre(resize) {
      const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = first
      const [x, y] = [(scrollLeft + clientWidth / 2) / scrollWidth, (scrollTop + clientHeight / 2) / scrollHeight]
      resize()
      first.scrollTo(x * first.scrollWidth - clientWidth / 2, y * first.scrollHeight - clientHeight / 2)
      resize()
    },
    showAfter(next) {
      problem.expect(next.missing)
      facts.textContent = next.facts
      for (const each of [result, beside]) each.src = next.source
    },
    onDrag: (move) => connectDrag({ stage, grip, panes: [first, second], visible, divide: move }),
    onReady(draw) {
      for (const each of [source, result]) each.addEventListener('load', draw)
      first.addEventListener('scroll', draw)
    },
  }
}

type Parts = ReturnType<typeof createParts>

/** Makes the elements. The result stands under the source, and beside it once more. */
function createParts({ name, before, after }: Picture) {
  const source = image('compare-before', before.source, `${name}, before`)
  const result = image('compare-after', after.source, `${name}, after`)
  const beside = image('', after.source, '')
  const pair = element('div', { className: 'compare-pair' }, result, source)
  const first = pane('Picture; scrolls when it is enlarged', pair)
  const second = pane('After; scrolls together with before', element('div', { className: 'compare-pair' }, beside))
  second.classList.add('compare-second')
  const facts = element('span', { textContent: after.facts })
  const problem = element('p', { className: 'compare-problem', role: 'status', hidden: true })
  const grip = createGrip()
  const stage = element(
    'div',
    { className: 'compare-stage' },
    first,
    second,
    label('compare-left', 'Before', element('span', { textContent: before.facts })),
    label('compare-right', 'After', facts),
    grip,
    problem,
  )
  return { stage, first, second, pair, source, result, beside, facts, grip, problem }
}

/** Puts the divider and the labels where the picture can be seen. */
function divide({ stage, pair, grip }: Parts, seen: Span, share: number): void {
  const [whole, own] = [stage.getBoundingClientRect(), pair.getBoundingClientRect()]
  const at = seen.start + (seen.end - seen.start) * share
  stage.style.setProperty('--seen-left', `${seen.start - whole.left}px`)
  stage.style.setProperty('--seen-right', `${whole.right - seen.end}px`)
  stage.style.setProperty('--at', `${at - whole.left}px`)
  stage.style.setProperty('--cut', `${at - own.left}px`)
  const percent = Math.round(share * 100)
  grip.ariaValueNow = String(percent)
  grip.ariaValueText = `${percent} % before, ${100 - percent} % after`
}

/** Says which of the pictures cannot be shown. */
function reportMissing(
  { source, result, problem }: Parts,
  { before, after }: Picture,
): { expect(missing: string): void } {
  let missing = after.missing
  const complain = (sentence: string): void => {
    problem.textContent = sentence
    problem.hidden = false
  }
  source.addEventListener('error', () => complain(before.missing))
  result.addEventListener('error', () => complain(missing))
  return {
    expect(next) {
      missing = next
      problem.hidden = source.naturalWidth > 0 || !source.complete
    },
  }
}

const image = (className: string, src: string, alt: string): HTMLImageElement =>
  element('img', { className, src, alt, draggable: false })

/** An area that scrolls has to be reachable by keyboard. */
const pane = (ariaLabel: string, content: HTMLElement): HTMLElement =>
  element('div', { className: 'compare-pane', tabIndex: 0, role: 'group', ariaLabel }, content)

const label = (side: string, textContent: string, facts: HTMLElement): HTMLElement =>
  element('div', { className: `compare-label ${side}` }, element('b', { textContent }), facts)

function createGrip(): HTMLElement {
  return element('div', {
    className: 'compare-grip',
    role: 'slider',
    tabIndex: 0,
    ariaLabel: 'Divider between before and after',
    ariaValueMin: '0',
    ariaValueMax: '100',
    ariaValueNow: '50',
    ariaOrientation: 'horizontal',
  })
}

function scrollTogether(first: HTMLElement, second: HTMLElement): void {
  for (const [one, other] of [
    [first, second],
    [second, first],
  ] as const) {
    one.addEventListener('scroll', () => {
      if (other.scrollLeft !== one.scrollLeft || other.scrollTop !== one.scrollTop)
        other.scrollTo(one.scrollLeft, one.scrollTop)
    })
  }
}
