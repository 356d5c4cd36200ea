import path from 'node:path'
import {
  createProject,
  danglingReferences,
  decode,
  detect,
  photo,
  readReferences,
  transparentGraphic,
} from '@pixpress/testkit'
import type { EmittedReference, Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow, canBuild, evaluate, readOutput } from './build.ts'
import type { BuildResult } from './build.ts'
import { BUNDLERS, carries, offers } from './capabilities.ts'
import type { Bundler } from './capabilities.ts'
import { borrowResults, lendResults } from './shared-cache.ts'

const OPTIONS = { convert: 'auto' }

const STYLES = `
.card > img { display: block }
:where(picture > img):not(.own *), picture > #photo { opacity: 0.5 }
.tile { background: #fff url(./images/tile.png) no-repeat; background-size: cover }
`

/** Not every bundler looks into variables. */
const VARIABLES = `
:root { --tile: url(./images/variable.png) }
.mixed { background: var(--tile), url(./images/mixed.png) var(--place, center) }
`

async function filesFor(bundler: Bundler): Promise<Record<string, string | Uint8Array>> {
  const images = ['photo', 'large', 'boxed', 'tile', 'variable', 'mixed', 'script', 'styled', 'icon']
  const bytes = await Promise.all(
    images.map(async (name, index) => [name, await photo(96, 72, 20 + index).png()] as const),
  )
  const hasPage = carries(bundler, 'html-img')
  const hasStyles = carries(bundler, 'css-url')
  return {
    ...Object.fromEntries(bytes.map(([name, data]) => [`src/images/${name}.png`, data])),
    'src/images/logo.png': await transparentGraphic(96, 64, 4).png(),
    'src/main.js': [
      ...(hasStyles ? ["import './style.css'"] : []),
      "import script from './images/script.png'",
      'globalThis.site = { images: { script } }',
    ].join('\n'),
    ...(hasStyles && { 'src/style.css': offers(bundler, 'variable') ? STYLES + VARIABLES : STYLES }),
    ...(hasPage && { 'index.html': page(bundler) }),
    ...(carries(bundler, 'public') && { 'public/copied.png': await photo(96, 72, 40).png() }),
  }
}

/** The page, without what the bundler does not carry. */
function page(bundler: Bundler): string {
  // Those that make the page by a plugin add the script to it themselves.
  const addsScript = ['webpack', 'rspack', 'rsbuild'].includes(bundler)
  return [
    '<!doctype html><html><head><meta charset="utf-8"><title>x</title>',
    '<link rel="icon" href="./src/images/icon.png">',
    '<link rel="preload" as="image" href="./src/images/photo.png">',
    '</head><body>',
    '<img id="photo" src="./src/images/photo.png" class="wide" loading="lazy" alt="&amp;">',
    carries(bundler, 'html-srcset')
      ? '<img id="set" src="./src/images/photo.png" srcset="./src/images/photo.png 1x, ./src/images/large.png 2x" sizes="50vw">'
      : '',
    '<div class="card"><img id="boxed" src="./src/images/boxed.png"></div>',
    carries(bundler, 'html-style-attribute')
      ? '<p id="styled" style="color: red; background: url(./src/images/styled.png)"></p>'
      : '',
    carries(bundler, 'public')
      ? `${addsScript ? '<!-- webpackIgnore: true -->' : ''}<img id="copied" src="/copied.png">`
      : '',
    addsScript ? '' : '<script type="module" src="./src/main.js"></script>',
    '</body></html>',
  ].join('\n')
}

for (const bundler of BUNDLERS) {
  describe.skipIf(!canBuild(bundler))(`convert: 'auto' with ${bundler}`, () => {
    let project: Project
    let result: BuildResult
    let output: Map<string, Buffer>
    let references: EmittedReference[]
    let html: string
    let css: string

    beforeAll(async () => {
      project = await createProject(`convert-${bundler}`, {
        files: await filesFor(bundler),
      })
      await borrowResults(project)
      result = await buildOrThrow(project, bundler, OPTIONS)
      await lendResults(project)
      output = await readOutput(project)
      references = await readReferences(project.path('dist'))
      const text = (ending: string): string =>
        [...output].flatMap(([file, bytes]) => (file.endsWith(ending) ? [bytes.toString()] : [])).join('\n')
      html = text('.html')
      css = text('.css')
    })
    afterAll(() => project?.dispose())

    const images = (): string[] => [...output.keys()].filter((file) => /\.(?:png|webp|avif)$/.test(file))

    it('leads every reference to a whole image, and leaves no image that nothing refers to', async () => {
      expect(result.warnings.filter((text) => !text.includes('PLUGIN_TIMINGS'))).toEqual([])
      expect(danglingReferences(references)).toEqual([])
      const used = new Set(references.map(({ target }) => target))
      expect(images().filter((file) => !used.has(file))).toEqual([])
      for (const file of images()) {
        expect([file, `.${detect(output.get(file)!)}`]).toEqual([file, path.extname(file)])
        await decode(output.get(file)!)
      }
    })

    if (carries(bundler, 'public'))
      it(`${offers(bundler, 'public') ? 'offers' : 'leaves'} an <img> of a public file, whose copy keeps its name`, () => {
        const [picture = ''] = /<picture[^>]*>(?:(?!<\/picture>)[^])*id="?copied[^]*?<\/picture>/.exec(html) ?? []
        expect(/<source[^>]* srcset="?\/copied[^ "]*\.avif/.test(picture)).toBe(offers(bundler, 'public'))
        expect(detect(output.get('copied.png')!)).toBe('png')
      })

    if (offers(bundler, 'page'))
      it('offers an <img> in every type that is smaller, and its own last', () => {
        const [picture = ''] = /<picture[^>]*>(?:(?!<\/picture>)[^])*id="?photo[^]*?<\/picture>/.exec(html) ?? []
        const types = [...picture.matchAll(/<source type="?(image\/\w+)/g)].map(([, type]) => type)
        expect(types[0]).toBe('image/avif')
        expect(picture).toMatch(/^<picture data-pixpress(?:="")? style="display:contents"/)
        expect(picture).toMatch(
          /<img data-pixpress-ratio="4\/3" id="?photo"? src="?[^ "]*\.png"? class="?wide"? loading="?lazy"? alt="?&(?:amp;)?"?/,
        )
        const sizes = [...picture.matchAll(/(?:srcset|src)="?([^ ">]+)/g)].map(([, url]) => sizeOf(url!))
        expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
        if (bundler !== 'bun')
          expect(html).toMatch(/<link (?=[^>]*type="?image\/avif)(?=[^>]*rel="?preload)[^>]*\.avif/)
      })

    if (offers(bundler, 'page'))
      it('leaves an <img> alone whose place a rule looks at, and an icon', () => {
        expect(html).toMatch(
          /<div class="?card"?><img data-pixpress-ratio="4\/3" id="?boxed"? src="?[^ "]*\.png"?\s*\/?><\/div>/,
        )
        expect(html).toMatch(/<link (?=[^>]*rel="?icon)[^>]*\.png/)
      })

    if (offers(bundler, 'page') && carries(bundler, 'html-style-attribute'))
      it('offers what a style attribute shows', () => {
        expect(html).toMatch(/url\([^)]*styled[^)]*\.png[^)]*\);\s*background:image-set\(/)
      })

    if (offers(bundler, 'page') && offers(bundler, 'stylesheet'))
      it('has rules on pictures leave those alone that the page gets', () => {
        const found = css.match(/picture(?::where\(:not\(\[data-pixpress\]\)\))? ?> ?(?:img|#photo)/g) ?? []
        expect(found.map((text) => text.includes('data-pixpress'))).toEqual([true, true])
      })

    if (offers(bundler, 'stylesheet'))
      it('puts image-set() behind the declaration that every browser reads', () => {
        expect(css).toMatch(
          /background:\s*#fff url\("?[^)]*tile[^)]*\.png"?\)[^;}]*;\s*background:\s*#fff image-set\(url\("[^)]*\.avif"\) type\("image\/avif"\)[^;}]*\.png"\) type\("image\/png"\)\)/,
        )
        expect(css).not.toMatch(/[#_]pixpress/)
      })

    if (offers(bundler, 'variable'))
      it('gives a variable several types, and leaves alone what is put together from variables', () => {
        expect(css).toMatch(/--tile:\s*url\([^)]*\.png"?\);@supports[^{]*\{--tile:image-set\(/)
        expect(css).toMatch(/mixed[^)]*\.png"?\) ?var\(--place, ?center\)/)
      })

    it('gives a script the one type that all browsers of the project read', async () => {
      const values = await evaluate(project, result)
      // Vite's own targets read WebP, not all of them AVIF; the others were told of no browsers.
      expect(values['images']!['script']).toMatch(
        bundler === 'vite' ? /\.webp$|^data:image\/webp/ : /\.png$|^data:image\/png/,
      )
    })

    it('makes the same bytes again, and encodes nothing', async () => {
      const again = await buildOrThrow(project, bundler, OPTIONS, { outDir: 'again' })
      expect(again.report!.totals.encoded).toBe(0)
      expect(await readOutput(project, 'again')).toEqual(output)
    })

    function sizeOf(url: string): number {
      const found = [...output].find(([file]) => file.endsWith(path.posix.basename(url)))
      return found?.[1].length ?? Number.NaN
    }
  })
}
