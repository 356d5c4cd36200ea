import { createBars, createRuler, element, explainScore, meaningOfScore } from '@pixpress/face'
import { bytesText, changeText, scoreText, typeLabel } from '@pixpress/face'
import type { PageImage } from '../src/report/page-shape.ts'
import { formatDuration } from '../src/report/units.ts'

/**
 * Everything of an image in words, and the figures that have a length.
 * @param images all images, of which variants have the same source
 * @param open shows another image
 */
export function detailFacts(
  image: PageImage,
  images: readonly PageImage[],
  open: (image: PageImage) => void,
): HTMLElement {
  return element('div', { className: 'facts' }, scorePart(image), typesPart(image, images), listOf(image, images, open))
}

function scorePart({ score, promise }: PageImage): HTMLElement | undefined {
  if (score === undefined) return undefined
  const title = score >= 100 ? 'Exact' : `${scoreText(score)} of 100`
  return element(
    'section',
    {},
    element('h3', { textContent: `How it looks: ${title}` }),
    createRuler(score, promise),
    element('p', { className: 'small dim', textContent: score >= 100 ? meaningOfScore(score) : explainScore(score) }),
  )
}

/** The source, and the results of its largest size in every type, as bars. */
function typesPart(image: PageImage, images: readonly PageImage[]): HTMLElement {
  const own = images.filter(({ source, width }) => source === image.source && width === image.width)
  const byType = new Map(own.map((each) => [each.type, each]))
  byType.set(image.type, image)
  const rows = [...byType.values()].map(({ type, after }) => ({
    name: typeLabel(type),
    after,
    figures: [bytesText(after), changeText(image.before, after)],
  }))
  const { other } = image
  const would =
    other === undefined || byType.has(other.type)
      ? []
      : [
          {
            name: `${typeLabel(other.type)}, not made`,
            after: other.size,
            figures: [bytesText(other.size), changeText(image.before, other.size)],
          },
        ]
  const source = {
    name: `Source, ${typeLabel(image.inputType)}`,
    before: image.before,
    figures: [bytesText(image.before), ''],
  }
  return element(
    'section',
    {},
    element('h3', { textContent: 'Bytes by type' }),
    createBars(`Bytes of ${image.source} by type`, ['Bytes', 'Change'], [source, ...rows, ...would]),
  )
}

function listOf(image: PageImage, images: readonly PageImage[], open: (image: PageImage) => void): HTMLElement {
  const facts = element('dl')
  const fact = (name: string, ...values: (Node | string)[]): void =>
    facts.append(element('dt', { textContent: name }), element('dd', {}, ...values))
  const { before, after, why, wouldBe, notes, duplicates, milliseconds, cached, address } = image
  fact('result', `${typeLabel(image.type)}${sizeOf(image)}, ${bytesText(after)} (${changeText(before, after)})`)
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
