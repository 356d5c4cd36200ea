import { createComparison, element, explainScore, bytesText, changeText, typeLabel } from '@pixpress/face'
import type { PageImage } from '../src/report/page-shape.ts'
import { formatDuration } from '../src/report/units.ts'

/** A dialog that says everything of one image, and shows it before and after where the files are there. */
export function createDetail(images: readonly PageImage[]): {
  readonly element: HTMLElement
  open(image: PageImage): void
} {
  const title = element('h2', { id: 'detail-title', tabIndex: -1 })
  const content = element('div', { className: 'detail-columns' })
  const dialog: HTMLDialogElement = element(
    'dialog',
    {},
    element(
      'div',
      { className: 'detail-head' },
      title,
      element('button', {
        type: 'button',
        className: 'button push',
        textContent: 'Close',
        onclick: () => dialog.close(),
      }),
    ),
    content,
  )
  dialog.setAttribute('aria-labelledby', title.id)

  function open(image: PageImage): void {
    title.textContent = image.source
    content.replaceChildren(picture(image), factsOf(image, images, open))
    if (!dialog.open) dialog.showModal()
    dialog.scrollTop = 0
    title.focus()
  }
  return { element: dialog, open }
}

/** Both pictures where there are two; otherwise the one that there is. */
function picture({ source, beforeLink, afterLink, thumbnail, ...image }: PageImage): HTMLElement {
  if (beforeLink !== undefined && afterLink !== undefined) {
    const missing = 'This file is no longer beside the report.'
    return createComparison({
      name: source.replace(/^.*\//, ''),
      before: { source: beforeLink, facts: `${typeLabel(image.inputType)}, ${bytesText(image.before)}`, missing },
      after: { source: afterLink, facts: `${typeLabel(image.type)}, ${bytesText(image.after)}`, missing },
      size: image,
    }).element
  }
  const src = afterLink ?? beforeLink ?? thumbnail
  if (src === undefined) return element('p', { className: 'dim', textContent: 'Its files are not beside this report.' })
  return element('figure', { className: 'only' }, element('img', { src, alt: source }))
}

function factsOf(image: PageImage, images: readonly PageImage[], open: (image: PageImage) => void): HTMLElement {
  const facts = element('dl')
  const fact = (name: string, ...values: (Node | string)[]): void =>
    facts.append(element('dt', { textContent: name }), element('dd', {}, ...values))
  const { before, after, score, why, wouldBe, notes, duplicates, milliseconds, cached, address } = image
  fact('source', `${typeLabel(image.inputType)}, ${bytesText(before)}`)
  fact('result', `${typeLabel(image.type)}${sizeOf(image)}, ${bytesText(after)} (${changeText(before, after)})`)
  if (score !== undefined) fact('score', explainScore(score))
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
        { type: 'button', className: 'button', onclick: () => open(each) },
        `${typeLabel(each.type)}${sizeOf(each)}, ${bytesText(each.after)}`,
      ),
    )
    fact('variants', element('div', { className: 'variants' }, ...buttons))
  }
  const links = fileLinks(image)
  if (links.length > 0) fact('files', ...links)
  return facts
}

function fileLinks({ beforeLink, afterLink }: PageImage): (Node | string)[] {
  const files = [
    ['before', beforeLink],
    ['after', afterLink],
  ] as const
  return files.flatMap(([textContent, href]) =>
    href === undefined ? [] : [element('a', { href, textContent, className: 'file' }), ' '],
  )
}

const sizeOf = ({ width, height }: PageImage): string => (width > 0 ? `, ${width} × ${height}` : '')
