import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  WORKSPACE,
  createProject,
  danglingReferences,
  decode,
  expectSimilar,
  photo,
  readReferences,
} from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VITES, buildProject, emittedText } from './build.ts'

let project: Project
beforeAll(async () => {
  project = await createProject('vite-public-auto', {
    packages: ['unplugin-pixpress', ...VITES],
    files: {
      'index.html': [
        '<link rel="icon" href="/favicon.png"><img src="/img/hero.jpg" alt=""><img data-pixpress="off" src="/off.jpg">',
        '<script type="module" src="/src/main.js"></script>',
      ].join('\n'),
      'src/main.js': `import './style.css'\nconsole.log('/scripted.jpg')`,
      'src/style.css': `.a { background: url(/bg.png) no-repeat }`,
      'public/img/hero.jpg': await readFile(path.join(WORKSPACE, 'test/fixtures/site/src/images/photo.jpg')),
      'public/img/hero.avif': await photo(60, 40, 7).avif(60),
      'public/off.jpg': await photo(200, 150, 2).jpeg(96),
      'public/bg.png': await photo(240, 160, 3).png(),
      'public/scripted.jpg': await photo(200, 150, 4).jpeg(96),
      'public/old.jpg': await photo(100, 75, 5).jpeg(96),
      'public/favicon.png': await photo(48, 48, 6).png(),
    },
  })
})
afterAll(() => project.dispose())

const AUTO = `{ convert: 'auto' }`

async function stylesheetOf(vite: (typeof VITES)[number], options: string): Promise<string> {
  const { error } = await buildProject(project, { vite, options })
  expect(error).toBeUndefined()
  return (await project.list('dist')).find((file) => file.endsWith('.css'))!
}

describe.each(VITES)('images of the public folder, %s', (vite) => {
  it.each(vite === 'vite' ? ['/', '/app/', './'] : ['/app/'])(
    'are offered in other types beside the copy, under names that are nobody’s, with base %s',
    async (base) => {
      const { error, warnings } = await buildProject(project, { vite, options: AUTO, config: `{ base: '${base}' }` })
      expect({ error, warnings }).toEqual({ error: undefined, warnings: [] })
      const references = (await readReferences(project.path('dist'))).filter(({ target }) => target !== undefined)
      expect(danglingReferences(references)).toEqual([])
      const files = await project.list('dist')
      const beside = files.filter((file) => /^img\/hero-[\da-f]{8}\.(?:avif|webp)$/.test(file))
      expect(beside.length).toBeGreaterThan(0)
      for (const file of beside)
        await expectSimilar(await project.read(`dist/${file}`), await project.read('public/img/hero.jpg'))
      const html = await emittedText(project, '.html')
      const sources = [...html.matchAll(/<source type="image\/(\w+)" srcset="([^"]+)"/g)].map(
        ([, type, url]) => `${type} ${url}`,
      )
      expect(sources).toEqual(
        beside.map((file) => `${path.extname(file).slice(1)} ${base === './' ? './' : base}${file}`).toSorted(),
      )
      expect(html).toContain(`data-pixpress="off"`)
      expect(files.filter((file) => file.startsWith('off-') || file.startsWith('scripted-'))).toEqual([])
      const css = await emittedText(project, '.css')
      expect(css).toMatch(
        /url\([^)]*bg\.png\)[^;}]*;background:image-set\(url\("[^"]*bg-[\da-f]{8}\.avif"\) type\("image\/avif"\)/,
      )
      expect(css).not.toContain('#pixpress')
      await expectSimilar(await project.read('dist/img/hero.avif'), await project.read('public/img/hero.avif'))
      expect((await decode(await project.read('dist/img/hero.jpg'))).type).toBe('jpeg')
    },
  )

  it('gives a stylesheet another name where another type is offered under another name', async () => {
    const [good, small] = [
      await stylesheetOf(vite, AUTO),
      await stylesheetOf(vite, `{ convert: 'auto', quality: 'small' }`),
    ]
    expect(small).not.toBe(good)
  })

  it('are named in the report where nothing names them', async () => {
    const { error } = await buildProject(project, {
      vite,
      options: `{ report: { json: 'kept.json' } }`,
    })
    expect(error).toBeUndefined()
    const { images } = JSON.parse(await project.readText('kept.json')) as {
      images: { source: string; notes: string[] }[]
    }
    const unnamed = images.filter(({ notes }) =>
      notes.some((note) => note.startsWith('No page, stylesheet, script or model')),
    )
    expect(unnamed.map(({ source }) => source)).toEqual(['public/img/hero.avif', 'public/old.jpg'])
  })

  it('are scaled down to the width that their folder may have, and never up', async () => {
    const { error } = await buildProject(project, {
      vite,
      options: `{ overrides: [{ include: 'public/**', maxWidth: 150 }], report: { json: 'kept.json' } }`,
    })
    expect(error).toBeUndefined()
    const widths = await Promise.all(
      ['img/hero.jpg', 'bg.png', 'old.jpg'].map(
        async (file) => (await decode(await project.read(`dist/${file}`))).width,
      ),
    )
    expect(widths).toEqual([150, 150, 100])
    const { images } = JSON.parse(await project.readText('kept.json')) as {
      images: { source: string; notes: string[] }[]
    }
    const scaled = images.filter(({ notes }) => notes.some((note) => note.includes('`maxWidth`')))
    expect(scaled.map(({ source }) => source)).toEqual([
      'public/bg.png',
      'public/img/hero.jpg',
      'public/off.jpg',
      'public/scripted.jpg',
    ])
  })
})
