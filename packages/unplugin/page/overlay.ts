// The overlay, which dev servers put into pages: Alt+P outlines the images that could be delivered better.
import type { ShownImage } from '../src/inspector/answer.ts'
import { element } from '@pixpress/face'
import { button, copyButton } from './element.ts'
import { judge } from './judge.ts'
import type { JudgedImage } from './judge.ts'
import STYLE from './overlay.css'

const base = new URL('.', import.meta.url)
let host: HTMLElement | undefined

async function open(): Promise<void> {
  const images = (await (await fetch(new URL('images.json', base))).json()) as ShownImage[]
  const ids = new Set(images.map(({ id }) => id))
  const judged = await Promise.all([...document.images].map((image) => judge(image, ids)))
  const wrong = judged.filter(({ found }) => found.length > 0)
  host = element('div', { id: 'pixpress-overlay' })
  const root = host.attachShadow({ mode: 'open' })
  const link = element('a', { href: base.href, target: '_blank', textContent: 'all images' })
  const count = `${wrong.length} of ${judged.length} images could be delivered better `
  const bar = element('div', { className: 'bar' }, count, link, ' ', button('Close', 'Escape', close))
  bar.setAttribute('role', 'status')
  root.append(element('style', { textContent: STYLE }), bar, ...wrong.map(boxOf))
  document.documentElement.append(host)
}

/** Outlines an image, with its faults. */
function boxOf({ image, found, advice }: JudgedImage): HTMLElement {
  const { left, top, width, height } = image.getBoundingClientRect()
  const label = element('div', { className: 'label' }, found.join(', '))
  if (advice !== undefined) label.append(' ', copyButton(advice, advice))
  const box = element('div', { className: 'box' }, label)
  const place = { left: left + scrollX, top: top + scrollY, width, height }
  for (const [name, pixels] of Object.entries(place)) box.style.setProperty(name, `${pixels}px`)
  return box
}

function close(): void {
  host?.remove()
  host = undefined
}

addEventListener('keydown', (event) => {
  if (event.altKey && event.code === 'KeyP') {
    event.preventDefault()
    if (host === undefined) void open()
    else close()
  } else if (event.key === 'Escape') close()
})
