import type { ShownImage } from '../src/inspector/answer.ts'
import { comparison } from './comparison.ts'
import { button, copyButton, element } from './element.ts'
import { inBytes, resultFacts } from './facts.ts'

/** Names of places where a text can be pasted, by the kind of text. */
const KINDS: Readonly<Partial<Record<ShownImage['copies'][number]['kind'], string>>> = {
  import: 'in a script',
  html: 'in a page',
  css: 'in a stylesheet',
}

/**
 * Shows all that is known of one image.
 * @param images all images, of which variants have the same file
 * @param choose shows another image
 */
export function detailOf(
  image: ShownImage,
  images: readonly ShownImage[],
  choose: (id: string) => void,
): HTMLElement[] {
  const { file, asked, made, problem, references, copies, id } = image
  const facts = element('dl')
  const fact = (name: string, ...values: (Node | string)[]): void =>
    facts.append(element('dt', { textContent: name }), element('dd', {}, ...values))
  if (asked !== '') fact('asked', element('code', { textContent: asked }))
  if (problem !== undefined) fact('problem', element('span', { className: 'problem', textContent: problem }))
  for (const [name, value] of resultFacts(image)) fact(name, value)
  if (made !== undefined && copies.length > 0) fact('directive', ...copies.map(copyRow))
  fact('used in', references.length === 0 ? 'unknown, or a page made by a server' : references.join(', '))
  const variants = images.filter((each) => each.file === file && each.id !== id)
  const links = variants.flatMap((each) => {
    const size = each.made === undefined ? '' : `, ${inBytes(each.made.size)}`
    return [button((each.asked || 'as it is') + size, '', () => choose(each.id)), ' ']
  })
  if (links.length > 0) fact('variants', ...links)
  const title = element('h2', { textContent: file })
  return made === undefined ? [title, facts] : [title, facts, ...comparison(id, made)]
}

function copyRow({ kind, places, text }: ShownImage['copies'][number]): HTMLElement {
  const place = places.length > 0 ? `in ${places.join(', ')}` : (KINDS[kind] ?? '')
  const where = element('span', { className: 'small', textContent: place })
  return element(
    'div',
    {},
    element('code', { textContent: text }),
    ' ',
    copyButton('Copy', text, 'textContent'),
    ' ',
    where,
  )
}
