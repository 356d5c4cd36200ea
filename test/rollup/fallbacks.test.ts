import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject, decode, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLERS, bundle } from './bundle.ts'
import type { Bundler, Output } from './bundle.ts'
import { stylesheets } from './stylesheets.ts'

const OPTIONS = { convert: 'auto' } as const
let project: Project

beforeAll(async () => {
  project = await createProject('rollup-fallbacks', {
    // It brings browserslist.
    packages: ['webpack'],
    files: {
      'package.json': '{ "browserslist": ["chrome 60"] }',
      'src/a.png': await photo(120, 90).png(),
      'src/b.png': await photo(100, 80, 3).png(),
      'src/script.png': await photo(90, 80, 7).png(),
      'src/main.js': `import './css/style.css'; import script from './script.png'; console.log(script)`,
      'src/css/style.css': `.a { background: url(../a.png) } :root { --b: url(../b.png) } .c { background: url(../a.png?w=50) } .d :where(picture > img) { margin: 0 } .e picture { margin: 0 } @scope (picture) { img { margin: 0 } }`,
    },
  })
})
afterAll(() => project?.dispose())

const settings = (): object => ({ ...OPTIONS, root: project.root, report: false })

/** Puts the page and copies of its images into the output when all scripts are there, like plugins for HTML. */
function pages(html: string, copies: Record<string, string>): object {
  return {
    name: 'pages',
    async generateBundle(this: { emitFile(file: object): string; getFileName(reference: string): string }) {
      let text = html
      for (const [url, file] of Object.entries(copies)) {
        const source = await readFile(project.path(file))
        const name = this.getFileName(this.emitFile({ type: 'asset', name: path.basename(file), source }))
        text = text.replaceAll(`"${url}"`, `"./${name}"`)
      }
      this.emitFile({ type: 'asset', fileName: 'index.html', source: text })
    },
  }
}

const textOf = ({ files }: Output, name: string): string => Buffer.from(files.get(name) ?? '').toString()
const imagesOf = ({ files }: Output): string[] => [...files.keys()].filter((name) => /\.(?:png|webp|avif)$/.test(name))

/** The stylesheet in a script, before its images are put into the output. */
async function markedStylesheet(bundler: Bundler, types: readonly string[]): Promise<string> {
  let css = ''
  const given = { convert: { type: types }, fallback: 'picture', root: project.root, report: false } as never
  const after = [
    stylesheets(given, false),
    { name: 'look', renderChunk: { order: 'pre', handler: (code: string) => ((css = code), null) } },
  ]
  await bundle(bundler, project, { before: after, options: given })
  return css
}

describe.each(BUNDLERS)("convert: 'auto' with %s", (bundler) => {
  it('offers the images of a stylesheet that a plugin writes in several types', async () => {
    const output = await bundle(bundler, project, { after: [stylesheets(settings(), true)], options: OPTIONS })
    const css = textOf(output, 'css/style.css')
    expect(css).toMatch(
      /url\(\.\.\/assets\/a-[^)]*\.png\);background:image-set\(url\("\.\.\/assets\/a-[^"]*\.avif"\) type/,
    )
    expect(css).toMatch(/--b: url\([^)]*\.png\);@supports[^{]*\{--b:image-set\(/)
    expect(css).not.toContain('#pixpress')
    // Browsers that the project names drop rules with :where(), unless it has put it there.
    const spared = 'picture:where(:not([data-pixpress]))'
    expect(css).toContain(`.d :where(${spared} > img) { margin: 0 } .e picture { margin: 0 } @scope (${spared}) {`)
    const urls = [...css.matchAll(/url\("?([^")]+\.(?:png|webp|avif))/g)].map(([, url]) => path.posix.join('css', url!))
    expect(urls.length).toBeGreaterThan(6)
    for (const name of urls) expect(`.${detect(output.files.get(name) as Buffer)}`).toBe(path.extname(name))
    expect(imagesOf(output).filter((name) => !urls.includes(name))).toEqual([expect.stringContaining('script')])
  })

  it('names a stylesheet by what will be offered in it', async () => {
    const [both, webp] = [
      await markedStylesheet(bundler, ['image/avif', 'image/webp']),
      await markedStylesheet(bundler, ['image/webp']),
    ]
    expect(both).toContain('#pixpress-')
    expect(webp).not.toBe(both)
  })

  it('gives a stylesheet in a script the one type that all browsers of the project read', async () => {
    const { code } = await bundle(bundler, project, { after: [stylesheets(settings(), false)], options: OPTIONS })
    expect(code).not.toMatch(/#pixpress|url\([^)]*\.png|\.cache/)
    expect(code.match(/\.webp/g)!.length).toBeGreaterThanOrEqual(3)
  })

  it('wraps the images of a page that a plugin writes, in place of their copies', async () => {
    const html = '<!doctype html><link rel="icon" href="b"><body><img src="a" alt=""><video poster="b"></video></body>'
    const after = [pages(html, { a: 'src/a.png', b: 'src/b.png' })]
    const build = (): Promise<Output> => bundle(bundler, project, { after, options: OPTIONS, input: 'src/script.js' })
    await project.write('src/script.js', 'console.log(1)')
    const output = await build()
    const page = textOf(output, 'index.html')
    expect(page).toMatch(
      /<picture data-pixpress style="display:contents"><source type="image\/avif" srcset="\.\/assets\/a[^"]*\.avif" style="display:none">.*<img data-pixpress-ratio="4\/3" src="\.\/assets\/a[^"]*\.png" alt=""><\/picture>/,
    )
    expect(page).toMatch(/<link rel="icon" href="\.\/assets\/b[^"]*\.png">/)
    expect(page).toMatch(/<video poster="\.\/assets\/b[^"]*\.webp">/)
    const names = imagesOf(output)
    expect(names.filter((name) => !page.includes(name))).toEqual([])
    for (const name of names) {
      const { width } = await decode(output.files.get(name) as Buffer)
      expect([120, 100]).toContain(width)
      expect((output.files.get(name) as Buffer).length).toBeLessThan((await project.read('src/a.png')).length)
    }
    expect(textOf(await build(), 'index.html')).toBe(page)
  })

  it('leaves a copy in the output that a script names, and a page without images as it is', async () => {
    await project.write('src/script.js', `console.log('./assets/a.png')`)
    const after = [pages('<body><img src="a"></body>', { a: 'src/a.png' })]
    const assetFileNames = 'assets/[name][extname]'
    const output = await bundle(bundler, project, { after, options: OPTIONS, input: 'src/script.js', assetFileNames })
    expect(output.files.get('assets/a.png')).toEqual(await project.read('src/a.png'))
    const plain = [pages('<body><p>text</p></body>', {})]
    const other = await bundle(bundler, project, { after: plain, options: OPTIONS, input: 'src/script.js' })
    expect(textOf(other, 'index.html')).toBe('<body><p>text</p></body>')
  })
})
