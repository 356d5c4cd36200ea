import type { Report } from '@pixpress/core/report'
import { describe, expect, it } from 'vitest'
import { usePublicSite } from './public-site.ts'

const site = usePublicSite()

/** The page and stylesheet of a build, with names of files in place of their hashes. */
const text = ({ files }: Awaited<ReturnType<typeof site.build>>, end: string): string =>
  [...files]
    .filter(([name]) => name.endsWith(end))
    .map(([, content]) => String(content))
    .join('\n')
    .replaceAll(/-[\w-]{8}(?=\.(?:avif|webp|png))/g, '')

describe('an image of the public folder that a page or stylesheet shows', () => {
  it.each([
    ['<img src="/hero.png">', '<img src="/assets/hero.avif">'],
    ['<img srcset="/hero.png 1x, /tiny.png 2x">', '<img srcset="/assets/hero.avif 1x, /assets/tiny.webp 2x">'],
    ['<video poster="/hero.png"></video>', '<video poster="/assets/hero.avif"></video>'],
    ['<link rel="preload" as="image" href="/hero.png">', '<link rel="preload" as="image" href="/assets/hero.avif">'],
    ['<img style="background: url(/hero.png)">', '<img style="background: url(/assets/hero.avif)">'],
    ['<style>a { background: url(/hero.png) }</style>', 'url(/assets/hero.avif)'],
    ['<img src="/white%20space.png">', /<img src="\/assets\/white(?: |%20)space\.avif">/],
  ])('has the URL of a converted copy in %s', async (html, expected) => {
    await site.write({ 'index.html': html })
    const page = text(await site.build(), '.html')
    if (typeof expected === 'string') expect(page).toContain(expected)
    else expect(page).toMatch(expected)
  })

  it.each([
    '<link rel="icon" href="/hero.png">',
    '<link rel="preload" as="image" type="image/png" href="/hero.png">',
    '<meta property="og:image" content="/hero.png">',
    '<a href="/hero.png" download>x</a>',
    '<object data="/hero.png"></object>',
    '<embed src="/hero.png">',
    '<picture><source type="image/png" srcset="/hero.png"><img src="/hero.png"></picture>',
    '<img src="/hero.png?v=1">',
    '<img src="/none.png">',
    '<img src="https://example.com/hero.png">',
    '<img vite-ignore src="/hero.png">',
  ])('keeps its URL in %s', async (html) => {
    await site.write({ 'index.html': html })
    const built = await site.build()
    expect(text(built, '.html')).toContain(html.replace('vite-ignore', ''))
    expect(built.images).toEqual([])
  })

  it('is named in the report if an <img> shows it without width and height', async () => {
    await site.write({ 'index.html': '<img src="/hero.png"><img src="/a/card.png" width="240" height="180">' })
    await site.build({ report: { json: 'report.json' } })
    const { images } = JSON.parse(await site.read('report.json')) as Report
    const named = images.filter(({ notes }) => notes.some((note) => note.includes('width="240" height="180"')))
    expect(named.map(({ source }) => source)).toEqual(['public/hero.png'])
  })

  it('has it in stylesheets, once for all', async () => {
    await site.write({
      'index.html': '<img src="/hero.png"><script type="module" src="/src/main.js"></script>',
      'src/main.js': `import './main.css'\nimport hero from '/hero.png'\nconsole.log(hero)`,
      'src/main.css': `a { background: url(/hero.png) } b { background: image-set(url(/hero.png) 1x, "/a/card.png" 2x) }
        i { background: image-set("/b/card.png" type("image/png")) }`,
    })
    const built = await site.build({}, { build: { cssMinify: false } })
    const css = text(built, '.css')
    expect(css).toContain('a { background: url(/assets/hero.avif) }')
    expect(css).toContain('image-set(url(/assets/hero.avif) 1x, url("/assets/card.avif") 2x)')
    expect(css).toContain('url("/b/card.png") type("image/png")')
    expect(built.images.toSorted()).toEqual(['card.avif', 'hero.avif'])
  })

  it('keeps its URL where no format is smaller, and without convert', async () => {
    await site.write({ 'index.html': '<img src="/hero.png">' })
    for (const options of [{ convert: { type: 'image/png' } }, { convert: false }, { exclude: 'public/**' }] as const) {
      expect(text(await site.build(options), '.html')).toContain('<img src="/hero.png">')
    }
  })

  it('is not inlined, however small it is', async () => {
    await site.write({ 'index.html': '<img src="/tiny.png">' })
    expect(text(await site.build(), '.html')).toContain('<img src="/assets/tiny.webp">')
  })
})
