import { createProject, decode, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLERS, bundle } from './bundle.ts'
import { stylesheets } from './stylesheets.ts'

let project: Project

beforeAll(async () => {
  project = await createProject('rollup-css', {
    files: {
      'src/white space.png': await photo(120, 90).png(),
      'src/other.png': await photo(100, 80, 3).png(),
      'src/main.js': `import './css/style.css'`,
      'src/css/style.css': `.a { background: url("../white space.png") }\n.b { background: url(../other.png?w=50) }`,
    },
  })
})

afterAll(() => project.dispose())

const forProject = (extract: boolean): object => stylesheets({ root: project.root, report: false }, extract)

async function expectImages(urls: string[], files: ReadonlyMap<string, unknown>, base: string): Promise<void> {
  const widths = urls.map(async (url) => {
    const name = decodeURI(new URL(url, `https://site.test/${base}`).pathname.slice(1))
    return (await decode(files.get(name) as Buffer)).width
  })
  expect(await Promise.all(widths)).toEqual([120, 50])
}
const urlsOf = (text: string): string[] => [...text.matchAll(/url\(\\?"?([^")\\]+)/g)].map((match) => match[1]!)

describe.each(BUNDLERS)('%s', (bundler) => {
  it('emits the images of an extracted stylesheet, with URLs relative to it', async () => {
    const { files } = await bundle(bundler, project, { after: [forProject(true)] })
    const css = files.get('css/style.css') as string
    expect(css).not.toContain('.cache')
    await expectImages(urlsOf(css), files, 'css/style.css')
  })

  it('puts the public path before them', async () => {
    const options = { publicPath: '/static/' }
    const { files } = await bundle(bundler, project, { after: [forProject(true)], options })
    const urls = urlsOf(files.get('css/style.css') as string)
    expect(urls.every((url) => url.startsWith('/static/'))).toBe(true)
    await expectImages(
      urls.map((url) => url.slice('/static'.length)),
      files,
      '',
    )
  })

  it('emits those of a stylesheet in a script, with URLs relative to the page', async () => {
    const { files, code } = await bundle(bundler, project, { after: [forProject(false)] })
    expect(code).not.toContain('.cache')
    await expectImages(urlsOf(code), files, '')
  })
})
