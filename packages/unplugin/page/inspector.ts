import { element, bytesText, countText } from '@pixpress/face'
import type { ShownImage } from '../src/inspector/answer.ts'
import { detailOf } from './detail.ts'
import { byId } from './element.ts'

// Everything that the page asks for is beside it, so its own address has to end in a slash.
if (location.pathname.endsWith('/__pixpress')) location.replace(`${location.pathname}/${location.hash}`)

const list = byId('list')
const detail = byId('detail')
const find = byId<HTMLInputElement>('find')
let images: readonly ShownImage[] = []
let chosen: string | undefined

async function load(): Promise<void> {
  const all = (await (await fetch('images.json')).json()) as ShownImage[]
  images = all.sort((a, b) => weight(b) - weight(a))
  const made = images.flatMap((image) => image.made ?? [])
  const before = made.reduce((sum, { source }) => sum + source.size, 0)
  const after = made.reduce((sum, { size }) => sum + size, 0)
  const missing = made.length < images.length ? `, ${images.length - made.length} not made yet` : ''
  byId('total').textContent =
    `${bytesText(after)} of ${bytesText(before)}, ${countText(images.length, 'image')}${missing}`
  show()
}

/** The bytes by which the list is put in order; what was not made yet stands at its end. */
const weight = ({ made }: ShownImage): number => made?.size ?? -1

/** Lists the images that the search field leaves. */
function show(): void {
  const words = find.value.toLowerCase()
  const shown = images.filter(({ file, asked }) => `${file}?${asked}`.toLowerCase().includes(words))
  list.replaceChildren(...shown.map(rowOf))
}

function rowOf(image: ShownImage): HTMLLIElement {
  const { id, file, asked, made } = image
  const bar = element('i')
  bar.style.width = `${(100 * Math.max(0, weight(image))) / Math.max(1, weight(images[0]!))}%`
  const row = element(
    'button',
    { type: 'button', onclick: () => void choose(id) },
    element('img', { src: `image/${id}`, alt: '', loading: 'lazy' }),
    element(
      'span',
      { className: 'what' },
      element('b', { textContent: file.replace(/^.*\//, ''), title: file }),
      element('span', { className: 'dim', textContent: asked || 'as it is' }),
      element('span', { className: 'bar' }, bar),
    ),
    element(
      'span',
      { className: 'bytes' },
      element('b', { textContent: made === undefined ? '' : bytesText(made.size) }),
      element('span', {
        className: 'dim',
        textContent: made === undefined ? 'not made yet' : `of ${bytesText(made.source.size)}`,
      }),
    ),
  )
  row.dataset['id'] = id
  row.setAttribute('aria-current', String(id === chosen))
  return element('li', {}, row)
}

/** Shows one image, which is made now where no browser has asked for it yet. */
async function choose(id: string): Promise<void> {
  chosen = id
  history.replaceState(null, '', `#${id}`)
  let image = images.find((each) => each.id === id)
  if (image === undefined) return
  if (image.made === undefined && image.problem === undefined) {
    await (await fetch(`image/${id}`)).arrayBuffer()
    await load()
    // Meanwhile another one may have been chosen.
    if (chosen !== id) return
    image = images.find((each) => each.id === id) ?? image
  }
  for (const each of list.querySelectorAll('button'))
    each.setAttribute('aria-current', String(each.dataset['id'] === id))
  list.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  detail.replaceChildren(...detailOf(image, images, (other) => void choose(other)))
}

list.addEventListener('keydown', (event) => {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined
  if (step === undefined) return
  event.preventDefault()
  const buttons = [...list.querySelectorAll('button')]
  buttons[buttons.findIndex((each) => each === document.activeElement) + step]?.focus()
})
find.addEventListener('input', show)
byId('reload').addEventListener('click', () => void load())
await load()
const first = location.hash.slice(1) || images[0]?.id
if (first !== undefined) await choose(first)
