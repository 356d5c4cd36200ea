import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { deliveredBy, findPages } from '../../../src/project/delivered/pages.ts'
import type { DeliveredPage } from '../../../src/project/delivered/pages.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-delivered-'))
  await mkdir(path.join(root, 'assets'))
  await mkdir(path.join(root, 'blog'))
  const sizes = { 'a-400.avif': 10, 'a-800.avif': 20, 'a-1600.avif': 40, 'a.jpg': 100, 'b c.png': 7 }
  for (const [name, size] of Object.entries(sizes)) {
    await writeFile(path.join(root, 'assets', name), Buffer.alloc(size))
  }
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function delivered(pages: Readonly<Record<string, string>>): Promise<readonly DeliveredPage[]> {
  for (const [name, html] of Object.entries(pages)) await writeFile(path.join(root, name), html)
  return deliveredBy(
    Object.keys(pages).map((name) => path.join(root, name)),
    root,
  )
}

const SRCSET = '/assets/a-400.avif 400w, /assets/a-800.avif 800w, /assets/a-1600.avif 1600w'
const PICTURE = `<picture><source type="image/avif" srcset="${SRCSET}" sizes="(max-width: 600px) 100vw, 400px"><img src=/assets/a.jpg alt=""></picture>`

it('counts what each window loads, each file once', async () => {
  const html = `<p>${PICTURE}${PICTURE}<img src='assets/b%20c.png' loading=lazy><input type=image src=assets/b%20c.png>`
  expect(await delivered({ 'index.html': html })).toEqual([
    {
      page: 'index.html',
      images: 4,
      unknown: 0,
      bytes: [47, 27, 27],
      heaviest: [
        { file: 'assets/a-1600.avif', bytes: 40 },
        { file: 'assets/b c.png', bytes: 7 },
      ],
    },
  ])
})

it('finds files below the path that a site is served from, beside a page, and by its base', async () => {
  const pages = await delivered({
    'index.html': '<img src="/project/docs/assets/a.jpg?v=1#x">',
    'blog/post.html': '<video poster="../assets/b&#32;c.png"></video>',
    'blog/based.html': '<base href="/assets/"><img src="a-400.avif">',
  })
  expect(pages.map(({ page, bytes }) => [page, bytes[0]])).toEqual([
    ['index.html', 100],
    ['blog/based.html', 10],
    ['blog/post.html', 7],
  ])
})

it('counts pictures without a file, and none that browsers do not show', async () => {
  const html = `<!-- <img src=/assets/a.jpg> --><script>"<img src=/assets/a.jpg>"</script><noscript><img src=/assets/a.jpg></noscript>
    <img src="data:image/png;base64,AA"><img src="https://elsewhere/none.png"><img alt="1 > 0" src=/assets/a-400.avif>`
  expect(await delivered({ 'index.html': html, 'none.html': '<p>', 'style.css': 'url(assets/a.jpg)' })).toMatchObject([
    { page: 'index.html', images: 1, unknown: 1, bytes: [10, 10, 10] },
  ])
  expect(await findPages(root)).toEqual(['index.html', 'none.html'].map((name) => path.join(root, name)))
})
