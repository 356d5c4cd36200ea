import { optimize } from '@pixpress/core'
import { animation, graphic, photo } from '@pixpress/testkit'
import type { Kind } from '../../../audit/src/findings/kinds.ts'

/** A page whose only fault is of one kind. */
export interface PlantedPage {
  readonly kind: Kind
  readonly name: string
  readonly html: string
}

/** A page that is as it should be but for what stands in it. */
export const page = (body: string, head: string = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A page</title>
<style>body { margin: 0 } img { display: block }</style>
${head}
</head>
<body>
${body}
</body>
</html>
`

/** An `<img>` of 300 × 200 pixels in the first view, loaded first. */
export const first = (attributes: string): string =>
  `<img alt="A photo" width="300" height="200" fetchpriority="high" ${attributes}>`

const SRCSET = 'srcset="/w300.webp 300w, /w600.webp 600w, /w1200.webp 1200w" src="/w600.webp"'

/** 300 pixels wide, as sharp as can be seen at one and at two pixels each. */
const RIGHT = first(`${SRCSET} sizes="300px"`)

/** More than a window and a half of nothing. */
export const FAR = '<div style="height: 4000px"></div>'

const LATE = `<script>addEventListener('load', () => {
  const image = Object.assign(new Image(300, 200), { alt: 'A photo', fetchPriority: 'high', sizes: '300px', srcset: '/w' + '300.webp 300w, /w' + '600.webp 600w' })
  document.body.prepend(image)
})</script>`

/** Every kind of fault, each on a page of its own that has no other. */
export const PLANTED: readonly PlantedPage[] = (
  [
    ['broken', first('src="/gone.webp"')],
    ['wrong-content-type', first('src="/w600-named.png"')],
    ['oversize', first('src="/w1200.webp"')],
    [
      'background-oversize',
      '<div style="width: 300px; height: 200px; background: url(/w1200.webp) center / cover"></div>',
      '<link rel="preload" as="image" href="/w1200.webp" fetchpriority="high">',
    ],
    ['upscaled', first('src="/w150.webp"')],
    ['sizes-missing', first(SRCSET)],
    ['sizes-too-large', first(`${SRCSET} sizes="100vw"`)],
    ['sizes-too-small', first(`${SRCSET} sizes="100px"`)],
    ['srcset-gap', first('srcset="/w100.webp 100w, /w1200.webp 1200w" sizes="300px"')],
    ['lcp-lazy', `<img alt="A photo" width="300" height="200" loading="lazy" ${SRCSET} sizes="300px">`],
    ['lcp-not-preloaded', LATE],
    ['lazy-above-fold', `${RIGHT}<img alt="An icon" width="60" height="40" loading="lazy" src="/w120.webp">`],
    ['eager-below-fold', `${RIGHT}${FAR}<img alt="A photo" width="300" height="200" src="/other600.webp">`],
    ['preload-unused', RIGHT, '<link rel="preload" as="image" href="/other600.webp">'],
    ['preload-mismatch', RIGHT, '<link rel="preload" as="image" href="/w1200.webp">'],
    [
      'priority-contradiction',
      `${RIGHT}${FAR}<img alt="A photo" width="300" height="200" fetchpriority="high" loading="lazy" src="/other600.webp">`,
    ],
    [
      'hidden-loaded',
      `${RIGHT}<div style="display: none"><img alt="A photo" width="300" height="200" src="/other600.webp"></div>`,
    ],
    ['missing-dimensions', `<img alt="A photo" fetchpriority="high" ${SRCSET} sizes="300px" style="width: 300px">`],
    ['distorted', `<img alt="A photo" width="300" height="300" fetchpriority="high" ${SRCSET} sizes="300px">`],
    ['missing-alt', RIGHT.replace('alt="A photo" ', '')],
    ['animated-gif', first('src="/moving.gif"')],
    ['photo-as-png', first('src="/photo.png"')],
    ['old-format', first('src="/photo.jpg"')],
    ['no-fallback-type', first('src="/w600.jxl"')],
    ['large-data-uri', `${RIGHT}<img alt="A photo" width="60" height="40" src="DATA">`],
    ['raster-in-svg', first('src="/held.svg"')],
    ['duplicate-bytes', `${RIGHT}<img alt="The same" width="300" height="200" src="/w600-copy.webp">`],
  ] as const
).map(([kind, body, head]) => ({ kind, name: `${kind}.html`, html: page(body, head) }))

/** A site that does everything right, in every way that it can be done. */
export const CLEAN: Readonly<Record<string, string>> = {
  'index.html': page(
    `<picture>
  <source type="image/avif" srcset="/w300.avif 300w, /w600.avif 600w, /w1200.avif 1200w" sizes="(max-width: 600px) 100vw, 600px">
  <source type="image/webp" srcset="/w300.webp 300w, /w600.webp 600w, /w1200.webp 1200w" sizes="(max-width: 600px) 100vw, 600px">
  <img alt="A photo" width="1200" height="800" fetchpriority="high" src="/photo.jpg" style="width: 100%; max-width: 600px; height: auto">
</picture>
<h2>Below</h2>
<p>Words.</p>
<img alt="" width="60" height="40" src="/w120.webp">
<img alt="A drawing" width="100" height="50" src="/drawing.svg">
<svg viewBox="0 0 30 20" width="30" height="20"><image href="/w120.webp" width="30" height="20"/></svg>
<div style="width: 300px; height: 200px; background: image-set(url('/w300.webp') 1x, url('/w600.webp') 2x) center / cover"></div>
${FAR}
<img alt="A photo" width="300" height="200" loading="lazy" srcset="/other300.webp 300w, /other600.webp 600w" sizes="auto, 300px" src="/other300.webp" style="width: 300px">
<img aria-hidden="true" width="60" height="40" loading="lazy" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E">
<a href="/deep/about.html">About</a> <a href="/file.pdf">A file</a> <a href="https://example.com/">Elsewhere</a>`,
  ),
  'deep/about.html': page(
    `<h1>A page of words</h1>
<div style="height: 200px; background: url(/w600.webp) center / 300px no-repeat"></div>
<div class="hero"></div>
<img alt="A photo" width="300" height="200" loading="lazy" src="/w600.avif" style="position: absolute; top: 4000px">
<video poster="/w300.webp" width="300" height="200"></video>
<img alt="A photo" width="300" height="200" loading="lazy" srcset="/other300.webp 1x, /other600.webp 2x" style="position: absolute; top: 3000px">`,
    `<style>.hero { width: 400px; height: 300px; background: url(/w600.webp) center / cover }</style>
<link rel="preload" as="image" href="/w600.webp" fetchpriority="high">`,
  ),
}

const webp = (width: number, seed: number): Promise<Buffer> => photo(width, Math.round((width * 2) / 3), seed).webp(80)

/** The files that both sites show. */
export async function siteImages(): Promise<Record<string, Buffer | string>> {
  const widths = [100, 120, 150, 300, 600, 1200]
  const named = await Promise.all(widths.map(async (width) => [`w${width}.webp`, await webp(width, 1)] as const))
  const avif = await Promise.all(
    [300, 600, 1200].map(async (width) => [`w${width}.avif`, await photo(width, (width * 2) / 3, 1).avif(60)] as const),
  )
  const middle = named.find(([name]) => name === 'w600.webp')![1]
  return {
    ...Object.fromEntries([...named, ...avif]),
    'w600-named.png': await webp(600, 4),
    'w600-copy.webp': middle,
    'w600.jxl': Buffer.from((await optimize(middle, { convert: { type: 'jxl' } })).data),
    'other300.webp': await webp(300, 2),
    'other600.webp': await webp(600, 2),
    'moving.gif': await animation(600, 400, 3).gif(),
    'photo.png': await photo(600, 400, 3).png(),
    'photo.jpg': await photo(600, 400, 1).jpeg(80),
    'held.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><image width="300" height="200" href="data:image/png;base64,${(await photo(300, 200, 6).png()).toString('base64')}"/></svg>`,
    'drawing.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50"><circle cx="50" cy="25" r="20"/></svg>',
  }
}

/** A PNG of more than 4 kB, as it stands within a page. */
export const dataUrl = async (): Promise<string> =>
  `data:image/png;base64,${(await graphic(300, 200, 5).png()).toString('base64').padEnd(6000, 'A')}`
