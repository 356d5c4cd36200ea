import { codeToCopy, createComparison, element, bytesText, changeText, typeLabel } from '@pixpress/face'
import type { MadeImage } from '../src/session/report/seen-images.ts'
import type { ShownImage } from '../src/inspector/answer.ts'
import { resultFacts } from './facts.ts'

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
  if (variants.length > 0)
    fact('variants', element('div', { className: 'variants' }, ...variants.map(variantButton(choose))))
  const [, folder = '', name = file] = /^(.*\/)?([^/]*)$/.exec(file) ?? []
  const title = element('h1', {}, element('span', { className: 'folder', textContent: folder }), name)
  if (made === undefined) return [title, facts]
  const { size, source } = made
  const sentence = `${bytesText(source.size)} became ${bytesText(size)}, ${changeText(source.size, size)}.`
  return [
    title,
    element('p', { className: 'dim', textContent: sentence }),
    element('div', { className: 'columns' }, comparison(id, name, made), facts),
  ]
}

function comparison(id: string, name: string, { type, size, source, width, height }: MadeImage): HTMLElement {
  const missing = 'This browser cannot show it.'
  return createComparison({
    name,
    before: { source: `source/${id}`, facts: `${typeLabel(source.type)}, ${bytesText(source.size)}`, missing },
    after: { source: `image/${id}`, facts: `${typeLabel(type)}, ${bytesText(size)}`, missing },
    size: { width, height },
  }).element
}

const variantButton =
  (choose: (id: string) => void) =>
  ({ id, asked, made }: ShownImage): HTMLElement => {
    const size = made === undefined ? '' : `, ${bytesText(made.size)}`
    const textContent = (asked || 'as it is') + size
    return element('button', { type: 'button', className: 'button', textContent, onclick: () => choose(id) })
  }

function copyRow({ kind, places, text }: ShownImage['copies'][number]): HTMLElement {
  const place = places.length > 0 ? `in ${places.join(', ')}` : (KINDS[kind] ?? '')
  return element(
    'div',
    { className: 'copy-row' },
    codeToCopy(text, place),
    element('span', { className: 'small dim', textContent: place }),
  )
}
