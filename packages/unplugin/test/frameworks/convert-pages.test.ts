import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import { createProject, detect, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { convertPages } from '../../src/frameworks/convert-pages.ts'
import { openSession } from '../../src/session/registry.ts'
import type { Options } from '../../src/session/options/options.ts'

let project: Project
beforeAll(async () => {
  project = await createProject('convert-pages', { packages: [] })
  const source = await photo(120, 90, 5).png()
  const small = await createOptimizer({ cache: false }).optimize(await photo(64, 48, 6).png(), {
    convert: { type: 'image/avif' },
  })
  const images = { 'photo.png': source, 'small.avif': small.data }
  for (const [name, bytes] of Object.entries(images)) {
    await project.write(`public/images/${name}`, bytes)
    await project.write(`dist/images/${name}`, bytes)
  }
})
afterAll(() => project.dispose())

/** Returns a page of a site as it is after the images of its pages were converted. */
async function converted(html: string, { base = '/', ...options }: Options & { base?: string } = {}): Promise<string> {
  await project.write('dist/blog/index.html', html)
  const session = openSession({ report: false, convert: 'auto', ...options }, project.root)
  const sourceOf = (name: string): string => project.path(path.join('public', name))
  await convertPages(session, { folder: project.path('dist'), base, sourceOf }, () => {})
  return project.readText('dist/blog/index.html')
}

const COPY = String.raw`/images/photo-[\w-]{8}\.avif`

const pageWith = (url: string): string => `<!doctype html>
<link rel=preload as=image href='${url}'><p style="background: url(${url})">
<IMG  src=${url} srcset="${url} 1x, ${url} 2x"><video poster="${url}"></video>`

describe('the pages of a finished site', () => {
  it('show converted copies, which lie beside the images, and are changed nowhere else', async () => {
    const html = await converted(pageWith('/images/photo.png'))
    const [copy = ''] = new RegExp(COPY).exec(html) ?? []
    expect(html).toBe(pageWith(copy))
    expect(detect(await project.read(`dist${copy}`))).toBe('avif')
    const image = await project.read('public/images/photo.png')
    expect((await project.read('dist/images/photo.png')).equals(image)).toBe(true)
    const files = await project.list('dist/images')
    expect(await converted(html)).toBe(html)
    expect(await project.list('dist/images')).toEqual(files)
  })

  it('keep the format of icons, cards, links, typed sources, and of what is no smaller or elsewhere', async () => {
    const html = [
      '<link rel="icon" href="/images/photo.png">',
      '<meta property="og:image" content="/images/photo.png">',
      '<a href="/images/photo.png">Photo</a>',
      '<picture><source type="image/webp" srcset="/a.webp"><img src="/images/photo.png"></picture>',
      '<img src="/images/small.avif">',
      '<img src="/images/photo.png?original"><img src="../images/photo.png">',
      '<img src="/missing.png"><img src="https://example.com/images/photo.png">',
    ].join('\n')
    expect(await converted(html)).toBe(html)
  })

  it('know the base of the site, and reuse a copy that the bundler has emitted', async () => {
    const html = await converted('<img src="/docs/images/photo.png">', { base: '/docs/' })
    const [copy = ''] = new RegExp(COPY).exec(html) ?? []
    const bytes = await project.read(`dist${copy}`)
    await project.remove(`dist${copy}`)
    await project.write('dist/_assets/hero.avif', bytes)
    expect(await converted('<img src="/images/photo.png">')).toBe('<img src="/_assets/hero.avif">')
    await project.remove('dist/_assets')
  })

  it('leave what a component hydrates to its script, but not what a page puts into it', async () => {
    const image = '<img src="/images/photo.png">'
    const html = await converted(`<astro-island><div>${image}<astro-slot>${image}</astro-slot></div></astro-island>`)
    expect(html.replace(new RegExp(COPY), 'copy')).toBe(
      `<astro-island><div>${image}<astro-slot><img src="copy"></astro-slot></div></astro-island>`,
    )
  })

  it('keep styles whose digest a policy holds', async () => {
    const html = `<meta http-equiv="Content-Security-Policy" content="style-src 'sha256-abc='">
<style>body { background: url(/images/photo.png) }</style>`
    expect(await converted(html)).toBe(html)
  })

  it('stay without convert, and where overrides say so', async () => {
    const html = '<img src="/images/photo.png">'
    expect(await converted(html, { convert: false })).toBe(html)
    expect(await converted(html, { overrides: [{ include: 'public/**', convert: false }] })).toBe(html)
  })
})
