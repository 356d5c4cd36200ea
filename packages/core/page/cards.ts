import { element, bytesText, changeText, typeLabel } from '@pixpress/face'
import type { PageImage } from '../src/report/page-shape.ts'

/** Pictures that are in the document at once; a button shows more. */
const AT_ONCE = 200

/** A grid of pictures that can be filled anew. */
export interface Cards {
  readonly element: HTMLElement
  show(images: readonly PageImage[]): void
}

/** Creates the grid. The files beside the page are shown where they are, and thumbnails where they are not. */
export function createCards(open: (image: PageImage) => void): Cards {
  const list = element('ul', { className: 'cards' })
  const more = element('button', { type: 'button', className: 'button' })
  let images: readonly PageImage[] = []
  let shown = 0
  const add = (): void => {
    const next = images.slice(shown, shown + AT_ONCE)
    shown += next.length
    list.append(...next.map((image) => card(image, open)))
    more.hidden = shown === images.length
    more.textContent = `Show ${Math.min(AT_ONCE, images.length - shown)} more of ${images.length}`
  }
  more.addEventListener('click', add)
  return {
    element: element('div', {}, list, more),
    show(next) {
      images = next
      shown = 0
      list.replaceChildren()
      add()
    },
  }
}

function card(image: PageImage, open: (image: PageImage) => void): HTMLElement {
  const { source, before, after, type, inputType, afterLink, thumbnail, width } = image
  const src = afterLink ?? thumbnail
  const picture = src === undefined ? undefined : element('img', { src, alt: '', loading: 'lazy' })
  // A file that was moved leaves its thumbnail.
  picture?.addEventListener(
    'error',
    () => thumbnail !== undefined && picture.src !== thumbnail && (picture.src = thumbnail),
  )
  const fill = element('i')
  fill.style.width = `${before === 0 ? 0 : Math.min(100, (after / before) * 100)}%`
  const name = source.replace(/^.*\//, '')
  return element(
    'li',
    { className: 'card' },
    element(
      'div',
      { className: 'card-picture' },
      picture ?? element('span', { className: 'dim', textContent: typeLabel(type) }),
    ),
    element(
      'button',
      { type: 'button', className: 'card-name', title: source, onclick: () => open(image) },
      name,
      width > 0 ? element('span', { className: 'unseen', textContent: `, ${width} pixels wide` }) : undefined,
    ),
    element(
      'p',
      { className: 'card-row' },
      element('span', {}, `${bytesText(before)} → `, element('b', { textContent: bytesText(after) })),
      element('span', { textContent: changeText(before, after) }),
    ),
    element('div', { className: 'bar' }, fill),
    element(
      'p',
      { className: 'chips' },
      chip(type === inputType ? typeLabel(type) : `${typeLabel(inputType)} → ${typeLabel(type)}`),
      hint(image),
    ),
  )
}

const chip = (textContent: string, kind = ''): HTMLElement =>
  element('span', { className: `chip ${kind}`, textContent })

/** At most one, so that a card is no list. */
function hint({ other, after, kind, isPhotoAsPng }: PageImage): HTMLElement | undefined {
  if (other !== undefined && other.size < after)
    return chip(`as ${typeLabel(other.type)} ${bytesText(other.size)}`, 'warn')
  if (isPhotoAsPng === true) return chip('photograph as PNG', 'warn')
  return kind === undefined ? undefined : chip('as small as it gets')
}
