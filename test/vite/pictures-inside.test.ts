import { createProject, expectSimilar, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWEST_AND_OLDEST, buildProject, emittedText } from './build.ts'
import { serve } from './serve.ts'

let project: Project
let picture: Buffer
let small: Buffer
const url = (data: Uint8Array): string => `data:image/png;base64,${Buffer.from(data).toString('base64')}`

const picturesOf = (text: string): Buffer[] =>
  [...text.matchAll(/data:image\/png;base64,([\w+/]+=*)/g)].map(([, base64]) => Buffer.from(base64!, 'base64'))

beforeAll(async () => {
  picture = Buffer.from(await photo(60, 45, 1).png())
  small = Buffer.from(await photo(24, 18, 2).png())
  project = await createProject('vite-inside', {
    packages: ['unplugin-pixpress', ...NEWEST_AND_OLDEST, 'sass'],
    files: {
      'src/left.png': small,
      'src/_part.scss': `@mixin part { background: url(${url(picture)}) }`,
      'src/main.scss': `@use './part'; .a { @include part.part } .b { background: url(./left.png) }`,
      'src/plain.css': `.a { background: url("${url(picture)}") } .b { background: url(./left.png) }`,
      'src/main.js': `import './main.scss'\nimport data from './data.json'\nconsole.log(data)`,
      'src/data.json': JSON.stringify({ picture: url(picture) }),
      'index.html': [
        `<style>.c { background: url(${url(picture)}) }</style><p style="background: url(${url(picture)})">x</p>`,
        `<img src="${url(picture)}"><img vite-ignore alt="" src="${url(picture)}">`,
        '<script type="module" src="/src/main.js"></script>',
      ].join('\n'),
    },
  })
})
afterAll(() => project.dispose())

async function expectSmaller(pictures: readonly Buffer[], count: number): Promise<void> {
  expect(pictures).toHaveLength(count)
  for (const each of pictures) {
    expect(each.length).toBeLessThan(picture.length)
    await expectSimilar(each, picture)
  }
}

describe.each(NEWEST_AND_OLDEST)('pictures inside, %s', (vite) => {
  it('are compressed in Sass and its partials, pages, their CSS and JSON; excluded files that Vite inlines are not', async () => {
    const { error, warnings } = await buildProject(project, { vite, options: `{ exclude: 'src/left.png' }` })
    expect({ error, warnings }).toEqual({ error: undefined, warnings: [] })
    const inStyles = picturesOf(await emittedText(project, '.css'))
    await expectSmaller(
      inStyles.filter((each) => !each.equals(small)),
      1,
    )
    expect(inStyles).toHaveLength(2)
    await expectSmaller(picturesOf(await emittedText(project, '.js')), 1)
    const inPage = picturesOf(await emittedText(project, '.html'))
    await expectSmaller(inPage.slice(0, -1), 3)
    expect(inPage.at(-1)!.equals(picture)).toBe(true)
  })

  it('are compressed by way of Lightning CSS', async () => {
    const config = `{ css: { transformer: 'lightningcss' }, build: { rollupOptions: { input: 'src/plain.css' } } }`
    const { error, images } = await buildProject(project, { vite, config })
    expect({ error, images }).toEqual({ error: undefined, images: 2 })
    const found = picturesOf(await emittedText(project, '.css'))
    expect(found).toHaveLength(2)
    await expectSmaller(found.slice(0, 1), 1)
  })
})

describe('a dev server', () => {
  it('leaves pictures inside as they are', async () => {
    const server = await serve(project, 'vite')
    try {
      expect((await server.ask('/src/plain.css?direct')).body.toString()).toContain(url(picture))
      expect((await server.ask('/')).body.toString()).toContain(url(picture))
    } finally {
      await server.close()
    }
  })
})
