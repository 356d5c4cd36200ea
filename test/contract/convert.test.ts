import path from 'node:path'
import { createProject, danglingReferences, decode, detect, photo, readReferences } from '@pixpress/testkit'
import type { EmittedReference, Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOrThrow, canBuild, evaluate, readOutput } from './build.ts'
import type { BuildResult } from './build.ts'
import { BUNDLERS, carries } from './capabilities.ts'
import type { Bundler, ReferenceKind } from './capabilities.ts'
import { borrowResults, lendResults } from './shared-cache.ts'

const OPTIONS = { convert: 'auto', overrides: [{ include: '**/drawn.png', convert: false }] } as const

/** Places of a page, by the names of their images, with the kind of reference that they are. */
const PLACES: readonly (readonly [name: string, kind: ReferenceKind, html: string])[] = [
  ['shown', 'html-img', '<img src="./src/images/shown.png" class="wide" alt="&amp;">'],
  ['set', 'html-srcset', '<img srcset="./src/images/set.png 2x" alt="">'],
  ['poster', 'html-poster', '<video poster="./src/images/poster.png"></video>'],
  ['styled', 'html-style-attribute', '<p style="background: url(./src/images/styled.png)"></p>'],
  ['icon', 'html-icon', '<link rel="icon" href="./src/images/icon.png">'],
  ['card', 'html-meta', '<meta property="og:image" content="./src/images/card.png">'],
  [
    'typed',
    'html-srcset',
    '<picture><source type="image/png" srcset="./src/images/typed.png"><img src="./src/images/typed.png" alt=""></picture>',
  ],
]

/** Images that keep their format. */
const KEPT: ReadonlySet<string> = new Set(['icon', 'card', 'typed', 'declared', 'drawn', 'copied'])

const CSS = `.a { background: url(./images/tile.png) }
:root { --b: url(./images/variable.png) }
.c { background: image-set(url(./images/plain.png) 1x) }
.d { background: image-set(url(./images/declared.png) type('image/png')) }`

describe.each(BUNDLERS.filter(canBuild))("convert: 'auto' with %s", (bundler: Bundler) => {
  const places = PLACES.filter(([, kind]) => carries(bundler, kind))
  const hasPage = carries(bundler, 'html-img')
  const hasStyles = carries(bundler, 'css-url')
  const names = [
    ...(hasPage ? places.map(([name]) => name) : []),
    ...(hasStyles ? ['tile', 'variable', 'plain', 'declared'] : []),
    'script',
    'located',
    'drawn',
  ]
  let project: Project
  let result: BuildResult
  let output: Map<string, Buffer>
  let references: EmittedReference[]

  beforeAll(async () => {
    const images = names.map(
      async (name, index) => [`src/images/${name}.png`, await photo(240, 180, 20 + index).png()] as const,
    )
    project = await createProject(`convert-${bundler}`, {
      files: {
        'package.json': '{}',
        ...Object.fromEntries(await Promise.all(images)),
        'src/main.js': [
          ...(hasStyles ? ["import './style.css'"] : []),
          "import script from './images/script.png'",
          "import drawn from './images/drawn.png'",
          "const located = new URL('./images/located.png', import.meta.url).href",
          'globalThis.site = { images: { script, drawn, located } }',
        ].join('\n'),
        ...(hasStyles && { 'src/style.css': CSS }),
        ...(hasPage && { 'index.html': page() }),
        ...(carries(bundler, 'public') && { 'public/copied.png': await photo(240, 180, 40).png() }),
      },
    })
    await borrowResults(project)
    // No image is in a script or stylesheet, so that each has its own file.
    result = await buildOrThrow(project, bundler, OPTIONS, { inlineLimit: 0 })
    await lendResults(project)
    output = await readOutput(project)
    references = await readReferences(project.path('dist'))
  })
  afterAll(() => project?.dispose())

  /** The page, without what the bundler does not carry. */
  function page(): string {
    // Those that make the page by a plugin add the script to it themselves.
    const script = ['webpack', 'rspack', 'rsbuild'].includes(bundler)
      ? ''
      : '<script type="module" src="./src/main.js"></script>'
    return `<!doctype html><html><head><meta charset="utf-8"><title>x</title></head><body>${places.map(([, , html]) => html).join('\n')}${script}</body></html>`
  }

  const images = (): string[] => [...output.keys()].filter((file) => /\.(?:png|webp|avif)$/.test(file))

  it('leads every reference to a whole image, and leaves no image that nothing refers to', async () => {
    expect(result.warnings.filter((text) => !text.includes('PLUGIN_TIMINGS'))).toEqual([])
    expect(danglingReferences(references)).toEqual([])
    const used = new Set(references.map(({ target }) => target))
    expect(images().filter((file) => !used.has(file) && file !== 'copied.png')).toEqual([])
    for (const file of images()) {
      expect([file, `.${detect(output.get(file)!)}`]).toEqual([file, path.extname(file)])
      await decode(output.get(file)!)
    }
  })

  it('gives each place one image in the format that the browsers of the project support', () => {
    const { images: made } = result.report!
    const sources = [...names, ...(carries(bundler, 'public') ? ['copied'] : [])]
    expect(made.map(({ source, type }) => `${path.basename(source, '.png')} ${type}`).toSorted()).toEqual(
      sources.map((name) => `${name} image/${KEPT.has(name) ? 'png' : 'avif'}`).toSorted(),
    )
  })

  if (hasPage)
    it('changes nothing of a page but URLs', () => {
      const html = [...output].find(([file]) => file.endsWith('.html'))![1].toString()
      expect(html).toMatch(/<img src="?[^ "]*\.avif"? class="?wide"? alt="?&(?:amp;)?"?\s*\/?>/)
      expect(html.match(/<(?:picture|source)\b/g) ?? []).toHaveLength(carries(bundler, 'html-srcset') ? 2 : 0)
    })

  it('gives scripts the same, and what an override leaves out in its own format', async () => {
    const { images: values } = await evaluate(project, result)
    expect(values).toMatchObject({
      script: expect.stringMatching(/\.avif$|^data:image\/avif/),
      located: expect.stringMatching(/\.avif$|^data:image\/avif/),
      drawn: expect.stringMatching(/\.png$|^data:image\/png/),
    })
  })

  it('makes the same bytes again, and encodes nothing', async () => {
    const again = await buildOrThrow(project, bundler, OPTIONS, { outDir: 'again', inlineLimit: 0 })
    expect(again.report!.totals.encoded).toBe(0)
    expect(await readOutput(project, 'again')).toEqual(output)
  })
})
