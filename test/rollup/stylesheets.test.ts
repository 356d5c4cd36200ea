import { readFile } from 'node:fs/promises'
import { createProject, decode, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import postcss from 'postcss'
import pixpressForPostcss from 'unplugin-pixpress/postcss'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLERS, bundle } from './bundle.ts'

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

/** What plugins for stylesheets do: PostCSS, then an asset of all text, or a module that puts it into the page. */
const stylesheets = (extract: boolean): object => {
  const texts: string[] = []
  return {
    name: 'stylesheets',
    async load(file: string) {
      if (!file.endsWith('.css')) return null
      const plugin = pixpressForPostcss({ root: project.root, report: false })
      const { css } = await postcss([plugin]).process(await readFile(file, 'utf8'), { from: file, to: file })
      texts.push(css)
      const code = extract ? 'export default ""' : `document.head.append(${JSON.stringify(css)})`
      return { code, moduleType: 'js', moduleSideEffects: true }
    },
    generateBundle(this: { emitFile(file: object): string }) {
      if (extract) this.emitFile({ type: 'asset', fileName: 'css/style.css', source: texts.join('\n') })
    },
  }
}

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
    const { files } = await bundle(bundler, project, { after: [stylesheets(true)] })
    const css = files.get('css/style.css') as string
    expect(css).not.toContain('.cache')
    await expectImages(urlsOf(css), files, 'css/style.css')
  })

  it('puts the public path before them', async () => {
    const options = { publicPath: '/static/' }
    const { files } = await bundle(bundler, project, { after: [stylesheets(true)], options })
    const urls = urlsOf(files.get('css/style.css') as string)
    expect(urls.every((url) => url.startsWith('/static/'))).toBe(true)
    await expectImages(
      urls.map((url) => url.slice('/static'.length)),
      files,
      '',
    )
  })

  it('emits those of a stylesheet in a script, with URLs relative to the page', async () => {
    const { files, code } = await bundle(bundler, project, { after: [stylesheets(false)] })
    expect(code).not.toContain('.cache')
    await expectImages(urlsOf(code), files, '')
  })
})
