import { clamped } from './geometry.ts'
import type { Span } from './geometry.ts'

interface Draggable {
  readonly stage: HTMLElement
  readonly grip: HTMLElement
  readonly panes: readonly HTMLElement[]
  /** The part of the window's width in which the picture can be seen. */
  readonly visible: () => Span
  readonly divide: (share: number) => void
}

/**
 * Lets pointers drag the divider by its handle, and by the picture itself as long as all of that can be seen. A mouse
 * drags an enlarged picture, which fingers scroll.
 */
export function connectDrag({ stage, grip, panes, visible, divide }: Draggable): void {
  const follow = (x: number): void => {
    const { start, end } = visible()
    divide(clamped((x - start) / Math.max(1, end - start)))
  }
  drag(grip, () => ({ move: follow }))
  for (const pane of panes) {
    drag(pane, ({ clientX, clientY, pointerType }) => {
      const isDivided = stage.closest<HTMLElement>('.compare')!.dataset['view'] === 'divider'
      const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = pane
      const isEnlarged = scrollWidth > clientWidth || scrollHeight > clientHeight
      if (!isEnlarged) return isDivided ? { move: follow, begin: clientX } : undefined
      if (pointerType !== 'mouse') return undefined
      return { move: (x, y) => pane.scrollTo(scrollLeft + clientX - x, scrollTop + clientY - y) }
    })
  }
}

interface Drag {
  readonly move: (x: number, y: number) => void
  /** Where it moves to at once. */
  readonly begin?: number
}

function drag(target: HTMLElement, start: (event: PointerEvent) => Drag | undefined): void {
  let current: Drag | undefined
  target.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    current = start(event)
    if (current === undefined) return
    target.setPointerCapture(event.pointerId)
    if (current.begin !== undefined) current.move(current.begin, event.clientY)
  })
  target.addEventListener('pointermove', (event) => {
    if (target.hasPointerCapture(event.pointerId)) current?.move(event.clientX, event.clientY)
  })
  const end = (): void => {
    current = undefined
  }
  target.addEventListener('pointerup', end)
  target.addEventListener('pointercancel', end)
}
