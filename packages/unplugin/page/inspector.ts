import type { ShownImage } from '../src/inspector/answer.ts'
import { detailOf } from './detail.ts'
import { byId, element } from './element.ts'
import { inBytes } from './facts.ts'

// Everything that the page asks for is beside it, so its own address has to end in a slash.
if (location.pathname.endsWith('/__pixpress')) location.replace(`${location.pathname}/${location.hash}`)

const list = byId('list')
const detail = byId('detail')
const find = byId<HTMLInputElement>('find')
let images: readonly ShownImage[] = []
let chosen: string | undefined

async function load(): Promise<void> {
  images = (await (await fetch('images.json')).json()) as ShownImage[]
  const made = images.flatMap((image) => image.made ?? [])
  const before = made.reduce((sum, { source }) => sum + source.size, 0)
  const after = made.reduce((sum, { size }) => sum + size, 0)
  byId('total').textContent = `${images.length} images, ${made.length} made: ${inBytes(before)} → ${inBytes(after)}`
  show()
}

/** Lists the images that the search field leaves. */
function show(): void {
  const words = find.value.toLowerCase()
  const shown = images.filter(({ file, asked }) => `${file}?${asked}`.toLowerCase().includes(words))
  list.replaceChildren(...shown.map(rowOf))
}

function rowOf(image: ShownImage): HTMLLIElement {
  const { id, file, asked, made } = image
  const saved = made === undefined ? 'not made yet' : `${inBytes(made.source.size)} → ${inBytes(made.size)}`
  const row = element(
    'button',
    { type: 'button', onclick: () => void choose(id) },
    element('img', { src: `image/${id}`, alt: '', loading: 'lazy' }),
    element('span', { className: 'name', textContent: file, title: file }),
    element('span', { className: 'saved', textContent: made?.score?.toFixed(1) ?? '' }),
    element('span', { className: 'small name', textContent: asked || 'as it is' }),
    element('span', { className: 'small saved', textContent: saved }),
  )
  row.dataset['id'] = id
  row.setAttribute('aria-current', String(id === chosen))
  return element('li', {}, row)
}

/** Shows one image, which is made now where no browser has asked for it yet. */
async function choose(id: string): Promise<void> {
  chosen = id
  location.hash = id
  let image = images.find((each) => each.id === id)
  if (image === undefined) return
  if (image.made === undefined && image.problem === undefined) {
    await (await fetch(`image/${id}`)).arrayBuffer()
    await load()
    image = images.find((each) => each.id === id) ?? image
  }
  for (const each of list.querySelectorAll('button'))
    each.setAttribute('aria-current', String(each.dataset['id'] === id))
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
if (location.hash.length > 1) await choose(location.hash.slice(1))
