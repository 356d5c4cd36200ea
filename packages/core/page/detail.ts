import { bytesText, changeText, createComparison, element, typeLabel } from '@pixpress/face'
import type { Comparison, ComparisonState } from '@pixpress/face'
import type { PageImage } from '../src/report/page-shape.ts'
import { detailFacts } from './facts.ts'
import { createNeighbours } from './neighbours.ts'

/** A dialog with everything of one image. */
export interface Detail {
  readonly element: HTMLElement
  open(image: PageImage): void
}

/**
 * Makes a dialog that says everything of one image, and shows it before and after where the files are there.
 * @param shown the images among which it goes to the next and the one before, in their order
 */
export function createDetail(images: readonly PageImage[], shown: () => readonly PageImage[]): Detail {
  const title = element('h2', { id: 'detail-title', tabIndex: -1 })
  const content = element('div', { className: 'detail-columns' })
  const neighbours = createNeighbours(go)
  const close = element('button', { type: 'button', className: 'button', textContent: 'Close' })
  const sentence = element('p', { className: 'dim' })
  const head = element('div', { className: 'detail-head' }, title, neighbours.element, close)
  const dialog: HTMLDialogElement = element('dialog', {}, head, sentence, content)
  close.addEventListener('click', () => dialog.close())
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.addEventListener('keydown', neighbours.onKey)
  /** View and zoom, which stay from one image to the next. */
  let state: ComparisonState | undefined
  let view: View | undefined

  function fill(image: PageImage): void {
    const [, folder = '', name = image.source] = /^(.*\/)?([^/]*)$/.exec(image.source) ?? []
    title.replaceChildren(element('span', { className: 'folder', textContent: folder }), name)
    sentence.replaceChildren(...became(image))
    neighbours.show(image, shown())
    state = view?.state ?? state
    view = viewOf(image, state)
    content.replaceChildren(element('div', {}, view.element, keys()), detailFacts(image, images, go))
    dialog.scrollTop = 0
  }
  function go(image: PageImage): void {
    fill(image)
    // A button that is gone, or that leads nowhere, must not leave the keyboard nowhere.
    if (!dialog.contains(document.activeElement) || document.activeElement === dialog) title.focus()
  }
  return {
    element: dialog,
    open(image) {
      view = state = undefined
      fill(image)
      if (!dialog.open) dialog.showModal()
      title.focus()
    },
  }
}

/** Says what became of an image. */
function became({ before, after, width, height }: PageImage): (Node | string)[] {
  const size = width > 0 ? `. ${width.toLocaleString('en')} × ${height.toLocaleString('en')} pixels.` : '.'
  const sizes = element('b', { textContent: `${bytesText(before)} became ${bytesText(after)}` })
  return [sizes, `, ${changeText(before, after)}${size}`]
}

/** The keys, which a telephone has none of. */
const keys = (): HTMLElement =>
  element('p', {
    className: 'small dim keys',
    textContent:
      'The arrows ← and → lead to the next picture; on the divider they move it, with Shift by ten. + and − zoom.',
  })

/** An element that shows the picture; only a comparison has a state. */
type View = Pick<Comparison, 'element'> & Partial<Pick<Comparison, 'state'>>

/** Both pictures where there are two; otherwise the one that there is. */
function viewOf(
  { source, beforeLink, afterLink, thumbnail, ...image }: PageImage,
  state: ComparisonState | undefined,
): View {
  if (beforeLink !== undefined && afterLink !== undefined) {
    const missing = 'This file is no longer beside the report.'
    return createComparison(
      {
        name: source.replace(/^.*\//, ''),
        before: { source: beforeLink, facts: `${typeLabel(image.inputType)}, ${bytesText(image.before)}`, missing },
        after: { source: afterLink, facts: `${typeLabel(image.type)}, ${bytesText(image.after)}`, missing },
        size: image,
      },
      state,
    )
  }
  const src = afterLink ?? beforeLink ?? thumbnail
  if (src === undefined)
    return { element: element('p', { className: 'dim', textContent: 'Its files are not beside this report.' }) }
  return { element: element('figure', { className: 'only' }, element('img', { src, alt: source })) }
}
