/** Of the inspector's page. It runs in a browser as it stands here. */
export const PAGE_SCRIPT: string = String.raw`
// What the page asks for is beside it.
if (/\/__pixpress$/.test(location.pathname)) location.replace(location.pathname + '/' + location.hash)
const list = document.querySelector('#list')
const detail = document.querySelector('#detail')
const find = document.querySelector('#find')
const total = document.querySelector('#total')
let images = []
let chosen

const bytes = (count) => count < 1000 ? count + ' B' : count < 1e6 ? (count / 1e3).toFixed(1) + ' kB' : (count / 1e6).toFixed(2) + ' MB'
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}
const saved = ({ made }) => made === undefined ? 'not made yet' : bytes(made.source.size) + ' → ' + bytes(made.size)

async function load() {
  images = await (await fetch('images.json')).json()
  const made = images.filter(({ made }) => made !== undefined)
  const sum = (size) => made.reduce((all, { made }) => all + size(made), 0)
  total.textContent = images.length + ' images, ' + made.length + ' made: ' + bytes(sum((each) => each.source.size)) + ' → ' + bytes(sum((each) => each.size))
  show()
}

function show() {
  const words = find.value.toLowerCase()
  const shown = images.filter(({ file, asked }) => (file + '?' + asked).toLowerCase().includes(words))
  list.replaceChildren(...shown.map((image) => {
    const button = make('button', { type: 'button', onclick: () => choose(image.id) },
      make('img', { src: 'image/' + image.id, alt: '', loading: 'lazy' }),
      make('span', { className: 'name', textContent: image.file, title: image.file }),
      make('span', { className: 'saved', textContent: image.made?.score === undefined ? '' : image.made.score.toFixed(1) }),
      make('span', { className: 'small name', textContent: image.asked || 'as it is' }),
      make('span', { className: 'small saved', textContent: saved(image) }))
    button.dataset.id = image.id
    button.setAttribute('aria-current', String(image.id === chosen))
    return make('li', {}, button)
  }))
}

async function choose(id) {
  chosen = id
  location.hash = id
  let image = images.find((each) => each.id === id)
  if (image === undefined) return
  if (image.made === undefined && image.problem === undefined) {
    await (await fetch('image/' + id)).arrayBuffer()
    await load()
    image = images.find((each) => each.id === id) ?? image
  }
  for (const button of list.querySelectorAll('button')) button.setAttribute('aria-current', String(button.dataset.id === id))
  detail.replaceChildren(...details(image))
}

// What stands where says what can be pasted there.
const KINDS = { import: 'in a script', html: 'in a page', css: 'in a stylesheet' }

function copyRow({ kind, places, text }) {
  const copy = make('button', { type: 'button', textContent: 'Copy', onclick: async () => {
    await navigator.clipboard.writeText(text)
    copy.textContent = 'Copied'
  } })
  return make('div', {}, make('code', { textContent: text }), ' ', copy, ' ', make('span', { className: 'small', textContent: places.length > 0 ? 'in ' + places.join(', ') : KINDS[kind] }))
}

function details(image) {
  const { file, asked, made, problem, wouldBe, references, copies, id } = image
  const facts = make('dl')
  const fact = (name, ...values) => facts.append(make('dt', { textContent: name }), make('dd', {}, ...values))
  if (asked) fact('asked', make('code', { textContent: asked }))
  if (problem) fact('problem', make('span', { className: 'problem', textContent: problem }))
  if (made !== undefined) {
    const { source } = made
    fact('source', source.type + ', ' + source.width + ' × ' + source.height + ', ' + bytes(source.size))
    fact('result', made.type + ', ' + made.width + ' × ' + made.height + ', ' + bytes(made.size) + ' (' + Math.round((made.size / source.size - 1) * 100) + ' %)')
    if (made.score !== undefined) fact('score', made.score.toFixed(2) + ' of 100 (SSIMULACRA2)')
    if (made.why) fact('why', made.why)
    if (wouldBe) fact("convert: 'auto'", wouldBe)
    for (const note of made.notes) if (note !== made.why) fact('note', note)
    if (copies.length > 0) fact('directive', ...copies.map(copyRow))
  }
  fact('used in', references.length === 0 ? 'unknown, or a page made by a server' : references.join(', '))
  const variants = images.filter((each) => each.file === file && each.id !== id)
  if (variants.length > 0) {
    fact('variants', ...variants.flatMap((each) => [make('button', { type: 'button', textContent: (each.asked || 'as it is') + (each.made ? ', ' + bytes(each.made.size) : ''), onclick: () => choose(each.id) }), ' ']))
  }
  const title = make('h2', { textContent: file })
  return made === undefined ? [title, facts] : [title, facts, ...comparison(id, made)]
}

function comparison(id, made) {
  const before = make('img', { src: 'source/' + id, alt: 'Before' })
  const after = make('img', { src: 'image/' + id, alt: 'After', className: 'after' })
  const box = make('div', { className: 'compare', tabIndex: 0 }, before, after)
  const split = make('input', { type: 'range', min: 0, max: 100, value: 50, id: 'split' })
  const zoom = make('select', { id: 'zoom' }, ...[['fit', 'fit'], ...[1, 2, 4, 8].map((each) => [each, each * 100 + ' %'])].map(([value, textContent]) => make('option', { value, textContent })))
  const draw = () => {
    const width = zoom.value === 'fit' ? Math.min(made.width, detail.clientWidth - 40) : made.width * Number(zoom.value) / devicePixelRatio
    const height = width * made.height / made.width
    for (const each of [before, after]) Object.assign(each.style, { width: width + 'px', height: height + 'px' })
    before.style.objectFit = 'cover'
    box.classList.toggle('pixels', Number(zoom.value) >= 2)
    after.style.clipPath = 'inset(0 0 0 ' + split.value + '%)'
  }
  split.oninput = draw
  zoom.onchange = draw
  box.onkeydown = ({ key }) => {
    const at = zoom.selectedIndex + (key === '+' ? 1 : key === '-' ? -1 : 0)
    if (at !== zoom.selectedIndex && at >= 0 && at < zoom.length) { zoom.selectedIndex = at; draw() }
  }
  draw()
  const controls = make('div', { className: 'controls' },
    make('label', {}, 'Before', split, 'After'), make('label', {}, 'Zoom', zoom))
  return [controls, box]
}

list.addEventListener('keydown', (event) => {
  const buttons = [...list.querySelectorAll('button')]
  const to = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  buttons[buttons.indexOf(document.activeElement) + to]?.focus()
})
find.oninput = show
document.querySelector('#reload').onclick = load
await load()
if (location.hash.length > 1) await choose(location.hash.slice(1))
`
