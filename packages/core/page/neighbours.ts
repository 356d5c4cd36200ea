import { element } from '@pixpress/face'
import type { PageImage } from '../src/report/page-shape.ts'

/** The buttons that lead from one open image to the next. */
export interface Neighbours {
  readonly element: HTMLElement
  /** Tells which image is open, and among which. */
  show(image: PageImage, among: readonly PageImage[]): void
  readonly onKey: (event: KeyboardEvent) => void
}

/** Parts of the open image that use the arrow keys themselves. */
const OWN_ARROWS = 'input, select, textarea, [role=slider], .compare:not([data-zoom=fit]) .compare-pane'

/** Makes the buttons for the image before and the next, which arrow keys to the left and right press as well. */
export function createNeighbours(go: (image: PageImage) => void): Neighbours {
  const position = element('p', { className: 'small dim', role: 'status' })
  let near: readonly (PageImage | undefined)[] = []
  const step = (at: 0 | 1): void => {
    const image = near[at]
    if (image !== undefined) go(image)
  }
  const names = [element('span', { className: 'neighbour' }), element('span', { className: 'neighbour' })] as const
  const button = (at: 0 | 1, keys: string, ...content: readonly (Node | string)[]): HTMLButtonElement => {
    const made = element('button', { type: 'button', className: 'button', onclick: () => step(at) }, ...content)
    made.setAttribute('aria-keyshortcuts', keys)
    return made
  }
  const buttons = [
    button(0, 'ArrowLeft', '←', said('Previous'), names[0]),
    button(1, 'ArrowRight', said('Next'), names[1], '→'),
  ] as const
  return {
    element: element('div', { className: 'neighbours' }, position, ...buttons),
    show(image, among) {
      const at = among.indexOf(image)
      near = at === -1 ? [] : [among[at - 1], among[at + 1]]
      position.textContent = at === -1 ? '' : `${at + 1} of ${among.length.toLocaleString('en')}`
      for (const [side, each] of buttons.entries()) {
        const source = near[side]?.source
        // A disabled button would lose the focus, and the keys with it.
        each.ariaDisabled = String(source === undefined)
        each.title = source ?? ''
        names[side]!.textContent = source?.replace(/^.*\//, '') ?? 'none'
        each.hidden = at === -1 || among.length < 2
      }
    },
    onKey(event) {
      const at = event.key === 'ArrowLeft' ? 0 : event.key === 'ArrowRight' ? 1 : undefined
      const isOthers = event.target instanceof Element && event.target.closest(OWN_ARROWS) !== null
      if (at === undefined || isOthers || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      step(at)
    },
  }
}

/** A word for those who do not see the arrow. */
const said = (word: string): HTMLElement => element('span', { className: 'unseen', textContent: `${word}: ` })
