/**
 * What runs inside of a page, as it stands here. It tells facts alone; what they mean is decided outside.
 */

/** Before anything else of the page: remembers what the browser takes for its largest paint. */
export const PAINT_SCRIPT: string = String.raw`
window.__pixpressPaint = undefined
new PerformanceObserver((list) => { window.__pixpressPaint = list.getEntries().at(-1) })
  .observe({ type: 'largest-contentful-paint', buffered: true })
`

/** Waits until what the first view shows is painted, as the browser tells of a paint only afterwards. */
export const PAINTED_SCRIPT: string = String.raw`(async () => {
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  const shown = [...document.images].filter((image) => image.currentSrc !== '' && image.getClientRects().length > 0 && image.getBoundingClientRect().top < innerHeight)
  await Promise.race([Promise.all(shown.map((image) => image.decode().catch(() => undefined))), pause(3000)])
  for (let frame = 0; frame < 3; frame++) await Promise.race([new Promise(requestAnimationFrame), pause(500)])
  await pause(50)
})()`

/** Scrolls to the end in steps, so that everything lazy is asked for, and back. */
export const SCROLL_SCRIPT: string = String.raw`(async () => {
  const step = Math.max(200, innerHeight * 0.8)
  for (let y = 0, count = 0; y < document.documentElement.scrollHeight && count < 100; y += step, count++) {
    scrollTo({ top: y, behavior: 'instant' })
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
  scrollTo({ top: 0, behavior: 'instant' })
  await new Promise((resolve) => setTimeout(resolve, 40))
})()`

/** Gives an object as \`PageFacts\` describes it. */
export const FACTS_SCRIPT: string = String.raw`(async () => {
  const resolve = (url) => { try { return new URL(url, document.baseURI).href } catch { return url } }
  const shortened = (text) => text.replaceAll(/data:[^"' )]{40,}/g, (data) => data.slice(0, 40) + '…').replaceAll(/\s+/g, ' ')
  const tagOf = (element) => shortened(element.cloneNode(false).outerHTML.replace(/<\/[\w-]+>$/, '')).slice(0, 300)
  const pathOf = (element) => {
    const names = []
    for (let at = element; at !== null && at !== document.documentElement && at !== document.body; at = at.parentElement) {
      if (at.id !== '' && document.querySelectorAll('#' + CSS.escape(at.id)).length === 1) { names.unshift('#' + at.id); break }
      const alike = at.parentElement === null ? [at] : [...at.parentElement.children].filter((each) => each.localName === at.localName)
      names.unshift(at.localName + (alike.length > 1 ? ':nth-of-type(' + (alike.indexOf(at) + 1) + ')' : ''))
    }
    return names.join(' > ')
  }
  const candidatesOf = (srcset) => [...(srcset ?? '').matchAll(/\s*(\S*[^,\s])(?:\s+([^,]+))?\s*(?:,|$)/g)].map(([, url, descriptor = '1x']) => {
    const [, number, unit] = /([\d.]+)([wx])/.exec(descriptor) ?? []
    return { url: resolve(url), ...(unit === 'w' ? { width: Number(number) } : { density: Number(number ?? 1) }) }
  })
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const lengthOf = (text) => Number.parseFloat(text) || 0

  const imageFacts = async (image) => {
    if (image.complete) await Promise.race([image.decode().catch(() => undefined), new Promise((done) => setTimeout(done, 2000))])
    const style = getComputedStyle(image)
    const { top, left, width, height } = image.getBoundingClientRect()
    const hasBox = image.getClientRects().length > 0
    const parent = image.parentElement
    const sources = parent?.localName === 'picture' ? [...parent.querySelectorAll(':scope > source')] : []
    const used = [...sources, image].find((each) => candidatesOf(each.getAttribute('srcset')).some(({ url }) => url === image.currentSrc))
    const map = image.computedStyleMap()
    const isAuto = (name) => map.get(name)?.toString() === 'auto'
    return {
      path: pathOf(image), tag: tagOf(image), url: image.currentSrc || resolve(image.getAttribute('src') ?? ''),
      src: image.getAttribute('src') ?? undefined, srcset: image.getAttribute('srcset') ?? undefined,
      hasSource: image.currentSrc !== '' || (image.getAttribute('src') ?? '') !== '',
      sizes: (used ?? image).getAttribute('sizes') ?? undefined, candidates: used === undefined ? [] : candidatesOf(used.getAttribute('srcset')),
      types: sources.map((each) => each.getAttribute('type') ?? ''), isTyped: used?.hasAttribute('type') === true,
      others: sources.flatMap((each) => candidatesOf(each.getAttribute('srcset')).map(({ url }) => url)).concat(candidatesOf(image.getAttribute('srcset')).map(({ url }) => url)),
      isLazy: image.loading === 'lazy', priority: image.fetchPriority,
      alt: image.getAttribute('alt') ?? undefined,
      isDecoration: image.closest('[aria-hidden="true"], [hidden], noscript') !== null || ['presentation', 'none'].includes(image.getAttribute('role')) || image.hasAttribute('aria-label') || image.hasAttribute('aria-labelledby'),
      isComplete: image.complete, naturalWidth: image.naturalWidth, naturalHeight: image.naturalHeight,
      hasBox, isShown: hasBox && isShown(image) && width > 1 && height > 1,
      width: hasBox ? lengthOf(style.width) : 0, height: hasBox ? lengthOf(style.height) : 0,
      top: top + scrollY, left: left + scrollX, fit: style.objectFit,
      hasDimensions: image.hasAttribute('width') && image.hasAttribute('height'),
      isSizedByStyle: !isAuto('height') && !isAuto('width') || !isAuto('aspect-ratio') && style.aspectRatio !== 'auto',
      hasAutoWidth: isAuto('width'), hasAutoHeight: isAuto('height'),
      isInFlow: !['absolute', 'fixed'].includes(style.position),
    }
  }

  const urlsOf = (text) => [...text.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)].map(([, url]) => url.replaceAll(/\\(.)/g, '$1'))
  const backgrounds = []
  const besides = new Set()
  for (const element of document.querySelectorAll('body, body *')) {
    for (const pseudo of [undefined, '::before', '::after']) {
      const style = getComputedStyle(element, pseudo)
      if (pseudo !== undefined && (style.content === 'none' || style.content === 'normal')) continue
      for (const name of ['content', 'listStyleImage', 'borderImageSource', 'maskImage', 'cursor']) for (const url of urlsOf(style[name] ?? '')) besides.add(url)
      if (style.backgroundImage === 'none') continue
      const box = element.getBoundingClientRect()
      const ownWidth = pseudo === undefined ? box.width : lengthOf(style.width)
      const ownHeight = pseudo === undefined ? box.height : lengthOf(style.height)
      for (const url of urlsOf(style.backgroundImage)) backgrounds.push({
        path: pathOf(element) + (pseudo ?? ''), tag: tagOf(element), url, size: style.backgroundSize, repeat: style.backgroundRepeat,
        width: ownWidth, height: ownHeight, top: box.top + scrollY, hasBox: element.getClientRects().length > 0, isShown: isShown(element),
      })
    }
  }
  for (const element of document.querySelectorAll('video[poster]')) besides.add(resolve(element.getAttribute('poster')))
  for (const element of document.querySelectorAll('svg image, svg feImage')) besides.add(resolve(element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? ''))
  for (const element of document.querySelectorAll('input[type=image]')) besides.add(element.src)
  for (const element of document.querySelectorAll('link[rel~=icon], link[rel=apple-touch-icon]')) besides.add(element.href)

  const preloads = [...document.querySelectorAll('link[rel=preload][as=image]')].map((link) => ({
    tag: tagOf(link), url: link.href, candidates: candidatesOf(link.getAttribute('imagesrcset')), priority: link.fetchPriority,
    isMeant: link.media === '' || matchMedia(link.media).matches,
  }))
  const paint = window.__pixpressPaint
  const painted = paint?.element ?? undefined
  return {
    images: await Promise.all([...document.images].map(imageFacts)),
    backgrounds, besides: [...besides], preloads,
    paint: paint === undefined || paint.url === '' ? undefined : { url: paint.url, path: painted === undefined ? '' : pathOf(painted), isImage: painted?.localName === 'img' },
    links: [...document.links].map(({ href }) => href),
    viewport: { width: innerWidth, height: innerHeight, ratio: devicePixelRatio },
  }
})()`
