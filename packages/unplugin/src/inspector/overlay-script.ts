/**
 * Of the overlay, which dev servers put into pages: Alt+P outlines the images that could be delivered better. It runs in a browser
 * as it stands here, behind a line that says what `endpoints` are.
 */
export const OVERLAY_SCRIPT: string = String.raw`
const base = new URL('.', import.meta.url)
let host

const button = (text, title, action) => Object.assign(document.createElement('button'), { type: 'button', textContent: text, title, onclick: action })

async function ownIds() {
  const images = await (await fetch(new URL('images.json', base))).json()
  return new Map(images.map(({ id, file }) => [id, file]))
}

async function idOf(url, ids) {
  const planned = /\/@pixpress\/([\da-f]{16})\//.exec(url)?.[1]
  if (planned !== undefined) return planned
  const answer = await fetch(url, { method: 'HEAD' }).catch(() => undefined)
  const tag = /"([\da-f]{16})"/.exec(answer?.headers.get('etag') ?? '')?.[1]
  return ids.has(tag) ? tag : undefined
}

async function judge(image, ids) {
  const url = new URL(image.currentSrc || image.src, location.href)
  const found = []
  const { width, height } = image.getBoundingClientRect()
  const isVector = /\.svg$/i.test(url.pathname) || url.href.startsWith('data:image/svg')
  const drawn = width * height * devicePixelRatio ** 2
  const css = Math.round(width)
  let advice
  if (!isVector && image.naturalWidth > 0 && drawn > 0 && drawn < image.naturalWidth * image.naturalHeight / 2) {
    found.push(image.naturalWidth + ' × ' + image.naturalHeight + ' pixels drawn at ' + css + ' × ' + Math.round(height))
    advice = '?w=' + css * 2
  }
  if (!image.hasAttribute('width') || !image.hasAttribute('height')) found.push('no width and height')
  const isOwn = url.protocol === 'data:' || endpoints.some((each) => url.pathname.startsWith(each)) || (url.origin === location.origin && await idOf(url.href, ids) !== undefined)
  if (!isOwn) found.push('not through pixpress')
  // Nothing is read behind the name of an image that is another's.
  return { image, found, advice: isOwn ? advice : undefined }
}

async function open() {
  const ids = await ownIds()
  const judged = await Promise.all([...document.images].map((image) => judge(image, ids)))
  const wrong = judged.filter(({ found }) => found.length > 0)
  host = document.createElement('div')
  host.id = 'pixpress-overlay'
  const root = host.attachShadow({ mode: 'open' })
  root.innerHTML = '<style>' + STYLE + '</style>'
  const bar = document.createElement('div')
  bar.className = 'bar'
  bar.setAttribute('role', 'status')
  const link = Object.assign(document.createElement('a'), { href: base.href, target: '_blank', textContent: 'all images' })
  bar.append(wrong.length + ' of ' + judged.length + ' images could be delivered better ', link, ' ', button('Close', 'Escape', close))
  root.append(bar)
  for (const { image, found, advice } of wrong) {
    const { left, top, width, height } = image.getBoundingClientRect()
    const box = document.createElement('div')
    box.className = 'box'
    Object.assign(box.style, { left: left + scrollX + 'px', top: top + scrollY + 'px', width: width + 'px', height: height + 'px' })
    const label = document.createElement('div')
    label.className = 'label'
    label.append(found.join(', '))
    if (advice !== undefined) {
      const copy = button(advice, 'Copy', async () => {
        await navigator.clipboard.writeText(advice)
        copy.title = 'Copied'
      })
      label.append(' ', copy)
    }
    box.append(label)
    root.append(box)
  }
  document.documentElement.append(host)
}

function close() {
  host?.remove()
  host = undefined
}

const STYLE = ':host { all: initial; color-scheme: light dark; position: absolute; inset: 0 auto auto 0; z-index: 2147483647; font: 13px/1.4 system-ui, sans-serif }'
  + '.box { position: absolute; outline: 3px solid #e5484d; pointer-events: none; box-sizing: border-box }'
  + '.label, .bar { background: Canvas; color: CanvasText; padding: 2px 6px; border: 1px solid #e5484d; pointer-events: auto }'
  + '.label { position: absolute; left: 0; top: 0; max-width: max(100%, 16rem); width: max-content }'
  + '.bar { position: fixed; right: 12px; bottom: 12px; padding: 6px 12px }'
  + 'button { font: inherit; cursor: pointer } :focus-visible { outline: 2px solid Highlight }'

addEventListener('keydown', (event) => {
  if (event.altKey && event.code === 'KeyP') {
    event.preventDefault()
    if (host === undefined) void open()
    else close()
  } else if (event.key === 'Escape') close()
})
`
