import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eleventyPlugin } from '../../../src/frameworks/eleventy/plugin.ts'
import { createPageImages } from '../../../src/frameworks/eleventy/pages.ts'
import type { Options } from '../../../src/session/options/options.ts'
import { openSession } from '../../../src/session/registry.ts'

const ICON = path.resolve(import.meta.dirname, '../../../../../examples/images/icon.png')

let project: Project
let icon: Buffer
beforeAll(async () => {
  project = await createProject('eleventy', { packages: [] })
  icon = await readFile(ICON)
  await project.write('src/blog/icon.png', icon)
  await project.write('public/logo.png', icon)
})
afterAll(() => project.dispose())

async function rewrite(html: string, prefix = '/', options: Options = {}): Promise<string> {
  const images = createPageImages(openSession({ report: false, ...options }, project.root), () => {})
  const page = { file: project.path('src/blog/post.md'), output: project.path('dist/blog/post/index.html') }
  return images.rewrite(html, page, { input: project.path('src'), output: project.path('dist'), prefix })
}

const pageWith = (url: string): string =>
  `<img src="${url}" srcset="${url} 2x"><p style="background: url(${url})"></p><video poster="${url}"></video>`

describe('the transform', () => {
  it('gives pages compressed files under names of their content, relative to the page', async () => {
    const html = await rewrite('<img src="icon.png" alt=""><img src="/logo.png?w=48&amp;format=webp" alt="">')
    const urls = [...html.matchAll(/src="([^"]+)"/g)].map(([, url]) => url!)
    expect(urls).toEqual([
      expect.stringMatching(/^\.\.\/\.\.\/img\/icon-[\w-]{8}\.png$/),
      expect.stringMatching(/^\.\.\/\.\.\/img\/logo-48-[\w-]{8}\.webp$/),
    ])
    const files = await Promise.all(urls.map((url) => project.read(path.posix.join('dist/blog/post', url))))
    expect(files.map((bytes) => detect(bytes))).toEqual(['png', 'webp'])
    expect(files.every((bytes) => bytes.length < icon.length)).toBe(true)
  })

  it("gives pages one URL of the smallest format with convert: 'auto', but typed sources and icons", async () => {
    await project.write('src/blog/photo.png', await photo(120, 90, 5).png())
    const html = await rewrite(pageWith('photo.png'), '/', { convert: 'auto' })
    const [url = ''] = /[^"(]+\.avif/.exec(html) ?? []
    expect(html).toBe(pageWith(url))
    const kept = await rewrite(
      '<link rel="icon" href="photo.png"><picture><source type="image/webp" srcset="a.webp"><img src="photo.png"></picture>',
      '/',
      { convert: 'auto' },
    )
    expect(kept.match(/photo-[\w-]{8}\.\w+/g)).toEqual(Array(2).fill(expect.stringMatching(/png$/)))
  })

  it('knows the prefix of the site', async () => {
    expect(await rewrite('<img src="/docs/logo.png">', '/docs/')).toMatch(/img\/logo-/)
  })

  it('leaves alone what is not there, elsewhere, outside the project, or for social cards', async () => {
    const html = [
      '<img src="missing.png">',
      '<img src="https://example.com/a.png">',
      '<img src="../../../../outside.png">',
      '<meta property="og:image" content="/logo.png">',
    ].join('\n')
    expect(await rewrite(html)).toBe(html)
  })

  it('refuses directives that are more than one URL, naming the file', async () => {
    await expect(rewrite('<img src="icon.png?w=16;32">')).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      file: 'src/blog/icon.png',
    })
  })
})

describe('the plugin', () => {
  it('refuses a wrong option with the right one', () => {
    const config = { addTransform: () => {}, on: () => {} }
    expect(() => eleventyPlugin(config, { qualty: 70 } as object)).toThrow(/quality/)
  })
})
