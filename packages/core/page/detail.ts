import type { PageImage } from '../src/report/page-shape.ts'
import { formatBytes, formatChange, formatDuration } from '../src/report/units.ts'
import { createComparison } from './comparison.ts'
import { element } from './element.ts'

/** A dialog that says everything of one image, and shows it before and after where the files are there. */
export function createDetail(images: readonly PageImage[]): {
  readonly element: HTMLElement
  open(image: PageImage): void
} {
  const title = element('h2', { id: 'detail-title', tabIndex: -1 })
  const content = element('div')
  const dialog: HTMLDialogElement = element(
    'dialog',
    {},
    element(
      'div',
      { className: 'head' },
      title,
      element('button', { type: 'button', textContent: 'Close', onclick: () => dialog.close() }),
    ),
    content,
  )
  dialog.setAttribute('aria-labelledby', title.id)

  function open(image: PageImage): void {
    title.textContent = image.source
    const { beforeLink, afterLink } = image
    content.replaceChildren(
      factsOf(image, images, open),
      beforeLink !== undefined && afterLink !== undefined
        ? createComparison({ ...image, beforeLink, afterLink })
        : onePicture(image),
    )
    if (!dialog.open) dialog.showModal()
    dialog.scrollTop = 0
    title.focus()
  }
  return { element: dialog, open }
}

function factsOf(image: PageImage, images: readonly PageImage[], open: (image: PageImage) => void): HTMLElement {
  const facts = element('dl')
  const fact = (name: string, ...values: (Node | string)[]): void =>
    facts.append(element('dt', { textContent: name }), element('dd', {}, ...values))
  const { before, after, score, why, wouldBe, notes, duplicates, milliseconds, cached, address } = image
  fact('source', `${image.inputType}, ${formatBytes(before)}`)
  fact('result', `${image.type}${sizeOf(image)}, ${formatBytes(after)} (${formatChange(before, after)})`)
  if (score !== undefined) fact('score', `${score.toFixed(2)} of 100 (SSIMULACRA2)`)
  if (why !== undefined) fact('why', why)
  if (wouldBe !== undefined) fact("convert: 'auto'", wouldBe)
  for (const note of notes) fact('note', note)
  if (image.isPhotoAsPng)
    fact('note', 'Looks like a photograph. As AVIF, WebP or JPEG it takes a fraction of these bytes.')
  if (milliseconds !== undefined || cached) fact('time', cached ? 'from the cache' : formatDuration(milliseconds!))
  if (duplicates !== undefined) fact('same bytes', duplicates.join(', '))
  if (image.places !== undefined) fact('used in', image.places.join(', '))
  if (address !== undefined) fact('stored at', address)
  const variants = images.filter((each) => each !== image && each.source === image.source)
  if (variants.length > 0) {
    const buttons = variants.map((each) =>
      element(
        'button',
        { type: 'button', onclick: () => open(each) },
        `${each.type}${sizeOf(each)}, ${formatBytes(each.after)}`,
      ),
    )
    fact('variants', ...buttons.flatMap((button) => [button, ' ']))
  }
  const files = [
    ['before', image.beforeLink],
    ['after', image.afterLink],
  ] as const
  const links = files.flatMap(([textContent, href]) =>
    href === undefined ? [] : [element('a', { href, textContent }), ' '],
  )
  if (links.length > 0) fact('files', ...links)
  return facts
}

const sizeOf = ({ width, height }: PageImage): string => (width > 0 ? `, ${width} × ${height}` : '')

/** Shows the one picture that there is where two cannot be compared. */
function onePicture({ source, afterLink, beforeLink, thumbnail }: PageImage): HTMLElement {
  const src = afterLink ?? beforeLink ?? thumbnail
  if (src === undefined) return element('p', { textContent: 'Its files are not beside this report.' })
  return element('figure', {}, element('img', { src, alt: source, className: 'only' }))
}
