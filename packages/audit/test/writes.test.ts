import { createOptimizer } from '@pixpress/core'
import { photo, useTemporaryFolder } from '@pixpress/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Visit } from '../src/visit/facts.ts'
import type { ImageFacts } from '../src/visit/page-facts.ts'
import { planWrites } from '../src/writes.ts'

const folder = useTemporaryFolder()

/** An image whose height nothing says before it arrives. */
const IMAGE: Omit<ImageFacts, 'tag' | 'src' | 'url'> = {
  path: 'img',
  hasSource: true,
  candidates: [],
  types: [],
  isTyped: false,
  others: [],
  isLazy: false,
  priority: 'auto',
  alt: 'Каток',
  isDecoration: false,
  isComplete: true,
  naturalWidth: 300,
  naturalHeight: 200,
  hasBox: true,
  isShown: true,
  width: 300,
  height: 200,
  top: 0,
  left: 0,
  fit: 'fill',
  hasDimensions: false,
  isSizedByStyle: false,
  hasAutoWidth: true,
  hasAutoHeight: true,
  hasStyleRatio: false,
  isInFlow: true,
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
})
