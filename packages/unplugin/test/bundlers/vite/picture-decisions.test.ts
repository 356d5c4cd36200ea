import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Report } from '@pixpress/core/report'
import { photo } from '@pixpress/testkit'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import pixpress from '../../../src/vite.ts'

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-emit-')))
  await mkdir(path.join(root, 'public'))
  await writeFile(path.join(root, 'package.json'), '{}')
  await writeFile(path.join(root, 'public/hero.jpg'), await photo(192, 144, 3).jpeg(100))
  await writeFile(path.join(root, 'imported.jpg'), await photo(192, 144, 5).jpeg(100))
  await writeFile(path.join(root, 'public/set.jpg'), await photo(192, 144, 4).jpeg(100))
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})

/** Stands in for a library of elements, and for the component that this package puts around an image. */
const LIBRARY: Plugin = {
  name: 'library',
  enforce: 'pre',
  resolveId: { order: 'pre', handler: (id) => (/jsx-runtime$|\/shown\//.test(id) ? '\0library' : null) },
  load: (id) => (id === '\0library' ? 'export const jsx = console.log\nexport default jsx' : null),
}

/** Another plugin that could emit images. */
const FOREIGN: Plugin = { name: 'theirs' }

interface Built {
  readonly images: Report['images']
  readonly files: readonly string[]
}

/** Builds a component with these images, each in a paragraph. */
async function built({
  images,
  css = '',
  code = '',
}: {
  images: string[]
  css?: string
  code?: string
}): Promise<Built> {
  const shown = images.map((each) => `jsx('p', { children: jsx('img', ${each}) })`)
  const lines = [`import { jsx } from 'react/jsx-runtime'`, `import './style.css'`, code, ...shown]
  await writeFile(path.join(root, 'main.js'), lines.join('\n'))
  await writeFile(path.join(root, 'style.css'), css)
  await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [LIBRARY, FOREIGN, pixpress({ convert: 'auto', effort: 'fast', report: { json: 'report.json' } })],
    build: { assetsInlineLimit: 0, rollupOptions: { input: path.join(root, 'main.js') } },
  })
  const report = JSON.parse(await readFile(path.join(root, 'report.json'), 'utf8')) as Report
  return { images: report.images, files: await readdir(path.join(root, 'dist')) }
}

const HERO = `{ src: '/hero.jpg' }`
const SET = `{ src: '/set.jpg', srcSet: '/set.jpg 2x' }`
/** An image whose URL comes with data, so that those of strings in scripts are offered. */
const OF_DATA = `{ src: globalThis.url }`

describe('images that are offered beside those of components', () => {
  it('are no sources of further images where another plugin could emit some', async () => {
    const { images, files } = await built({ images: [HERO] })
    expect(files.filter((file) => file.startsWith('hero-')).length).toBeGreaterThan(0)
    expect(new Set(images.map(({ source }) => source))).toEqual(new Set(['public/hero.jpg', 'public/set.jpg']))
  })
})

describe('an image of the public folder that a rule tells apart', () => {
  it('keeps its type, and the report has the rule', async () => {
    const { images, files } = await built({ images: [HERO], css: 'p > img { color: red }' })
    expect(files.filter((file) => file.startsWith('hero-'))).toEqual([])
    const [hero] = images
    expect([hero!.source, hero!.conversion]).toEqual(['public/hero.jpg', 'kept'])
    expect(hero!.typeKept).toContain('p > img')
  })
})

describe('an image that is imported for a srcset alone', () => {
  it('stands alone beside images of data', async () => {
    const own = `{ src: imported, srcSet: imported + ' 2x' }`
    const { images } = await built({ images: [own, OF_DATA], code: `import imported from './imported.jpg'` })
    const found = images.filter(({ source }) => source === 'imported.jpg')
    expect(found.map(({ conversion }) => conversion)).toEqual(['alone'])
  })
})

describe('an image of the public folder with a srcset', () => {
  it('keeps its type, and says why, where nothing else is converted', async () => {
    const { images } = await built({ images: [SET] })
    expect(images.map(({ source, conversion, typeKept }) => [source, conversion, typeKept])).toEqual([
      ['public/hero.jpg', 'kept', expect.stringContaining('It is a copy under its own name')],
      ['public/set.jpg', 'kept', expect.stringContaining('It stands in an <img> with `srcset`')],
    ])
  })

  it('is made in no other type beside images of data', async () => {
    const { images, files } = await built({ images: [HERO, SET, OF_DATA] })
    expect(files.filter((file) => file.startsWith('hero-')).length).toBeGreaterThan(0)
    expect(files.filter((file) => file.startsWith('set-'))).toEqual([])
    expect(images.filter(({ source }) => source === 'public/set.jpg').map(({ type }) => type)).toEqual(['image/jpeg'])
  })
})
