import { rm } from 'node:fs/promises'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import { photo, useTemporaryFolder, naming } from '@pixpress/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Visit } from '../src/visit/facts.ts'
import type { ImageFacts } from '../src/visit/page-facts.ts'
import { planWrites } from '../src/writes.ts'
import { DRAWN_IMAGE } from './drawn-image.ts'

const folder = useTemporaryFolder()

/** An image whose height nothing says before it arrives. */
const IMAGE: ImageFacts = {
  ...DRAWN_IMAGE,
  alt: 'Каток',
  hasDimensions: false,
  hasAutoWidth: true,
  hasAutoHeight: true,
}

let png: Buffer

beforeEach(async () => {
  png = await photo(300, 200).png()
  await folder.write({
    'package.json': '{ "devDependencies": { "unplugin-pixpress": "*" } }',
    'src/img/Каток 2.png': png,
    'src/index.html': '<h1>One</h1>\n<img src="img/Каток 2.png" alt="Каток">\n',
  })
})

/** Returns the visit of a page with that image, whose `src` is as given. */
async function visitOf(src: string): Promise<Visit> {
  const optimizer = createOptimizer({ cache: false })
  const header = await optimizer.probe(png)
  await optimizer.close()
  const { href: url } = new URL(src, 'http://127.0.0.1:1/')
  const image = { ...IMAGE, src, url, tag: `<img src="${src}" alt="Каток">` }
  const file = { url, status: 200, mimeType: 'image/png', bytes: png.length, digest: 'none', header }
  return {
    page: '/',
    viewport: { name: '1280', width: 1280, height: 800, ratio: 1 },
    facts: { images: [image], backgrounds: [], besides: [], preloads: [], links: [] },
    loaded: new Map([[url, file]]),
    early: new Set(),
    html: '',
    refused: [],
    errors: [],
  }
}

/** Returns what is to be written for such a page. */
async function writtenFor(src: string, output: string | undefined): Promise<string[]> {
  const planning = { project: folder.path, hasSources: true, output, leastWaste: 4096 }
  const { advice } = await planWrites([await visitOf(src)], planning)
  return advice.written.map(({ file, line, text }) => `${file}:${line} ${text}`)
}

/** Returns the advice on all findings of a visit, each once, as it is printed. */
async function adviceFor(visit: Visit, leastWaste = 4096): Promise<string[]> {
  const planning = { project: folder.path, hasSources: true, output: `${folder.path}/dist`, leastWaste }
  const { advice } = await planWrites([visit], planning)
  const all = [...advice.byFinding.values()].flat()
  return [...new Set(all.map(({ file, line, text }) => `${file}:${line} ${text}`))]
}

/** Returns what to do about an image of 300 pixels that is drawn 600 wide. */
async function fixOfUpscaled(src: string): Promise<string | undefined> {
  const visit = await visitOf(src)
  const [image] = visit.facts.images
  const wide = { ...visit, facts: { ...visit.facts, images: [{ ...image!, width: 600, height: 400 }] } }
  const planning = { project: folder.path, hasSources: true, output: `${folder.path}/dist`, leastWaste: 4096 }
  const { findings } = await planWrites([wide], planning)
  return findings.find(({ kind }) => kind === 'upscaled')?.fix
}

describe('planWrites', () => {
  it('finds the place of an image with a blank and other letters in its name', async () => {
    expect(await writtenFor('assets/Каток 2-Bx3k9a2Q.png', `${folder.path}/dist`)).toEqual([
      'src/index.html:2 write src="img/Каток 2.png?format=webp" width="300" height="200" style="height: auto"',
    ])
  })

  it('writes no directive behind a URL that the build leaves as it is', async () => {
    expect(await writtenFor('img/Каток 2.png', `${folder.path}/dist`)).toEqual([
      'src/index.html:2 write width="300" height="200" style="height: auto"',
    ])
  })

  it('writes one there for a server of development, which reads what it leaves', async () => {
    expect((await writtenFor('img/Каток 2.png', undefined))[0]).toContain('?format=webp')
  })

  it('writes no query where the build may have default directives, and says what to keep', async () => {
    const vite = "pixpress({ defaultDirectives: () => new URLSearchParams('as=picture&w=600;800') })"
    await folder.write({ 'vite.config.ts': vite })
    const src = 'assets/Каток 2-Bx3k9a2Q.png'
    expect(await writtenFor(src, `${folder.path}/dist`)).toEqual([
      'src/index.html:2 write width="300" height="200" style="height: auto"',
    ])
    expect(await adviceFor(await visitOf(src))).toContainEqual(naming('src/index.html', '2', "'defaultDirectives'"))
  })

  it('leaves the import of a component alone there, whose shape the defaults give', async () => {
    const script = '<script lang="ts">\n  import A from \'$lib/Каток 2.png\'\n</script>\n<Shown image={A} />\n'
    await folder.write({ 'src/lib/Каток 2.png': png, 'src/lib/A.svelte': script, 'src/index.html': '<h1>One</h1>' })
    await rm(path.join(folder.path, 'src/img'), { recursive: true })
    const visit = await visitOf('assets/Каток 2-Bx3k9a2Q.png')
    const [image] = visit.facts.images
    const narrow = { ...visit, facts: { ...visit.facts, images: [{ ...image!, width: 60, height: 40 }] } }
    expect(await adviceFor(narrow, 100)).toEqual([
      "src/lib/A.svelte:2 write import A from '$lib/Каток 2.png?w=120&format=webp&as=url'",
    ])
    await folder.write({ 'build/vite.base.js': 'export const images = { defaultDirectives: { as: "picture" } }' })
    expect(await adviceFor(narrow, 100)).toEqual([naming('src/lib/A.svelte', '2', '120', "'defaultDirectives'")])
  })
})

describe('an image with too few pixels', () => {
  it.each([
    [400, 'give it a source of at least 600 pixels across: src/img/Каток 2.png has 400'],
    [900, 'deliver it 600 pixels wide, as its source src/img/Каток 2.png has 900'],
  ])('needs another source only where its own has too few: %i', async (width, fix) => {
    await folder.write({ 'src/img/Каток 2.png': await photo(width, width).png() })
    expect(await fixOfUpscaled('assets/Каток 2-Bx3k9a2Q.png')).toBe(fix)
  })

  it('says nothing of a source that is not known', async () => {
    expect(await fixOfUpscaled('assets/other.png')).toContain('600 pixels')
  })
})
