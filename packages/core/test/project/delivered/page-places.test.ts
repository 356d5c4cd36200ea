import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { placesOf } from '../../../src/project/delivered/page-places.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-places-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const places = async (
  texts: Readonly<Record<string, string>>,
  images: readonly string[],
): Promise<Record<string, readonly string[]>> => {
  for (const [name, text] of Object.entries(texts)) await writeFile(path.join(root, name), text)
  const files = Object.keys(texts).map((name) => path.join(root, name))
  const found = await placesOf(
    files,
    images.map((each) => path.join(root, each)),
    root,
  )
  return Object.fromEntries([...found].map(([image, named]) => [path.relative(root, image), named]))
}

it('finds the pages, stylesheets and scripts that name an image', async () => {
  const texts = {
    'index.html': '<img srcset="/assets/hero-1.avif 1x, /assets/hero-2.avif 2x"><a href=a%20b.png?x=1#y>',
    'style.css': 'a { background: url(./hero-1.avif) }',
    'main.js': String.raw`const a = "assets/hero-2.avif", b = 'none.png'`,
  }
  expect(await places(texts, ['assets/hero-1.avif', 'assets/hero-2.avif', 'a b.png', 'assets/unused.png'])).toEqual({
    'assets/hero-1.avif': ['index.html', 'style.css'],
    'assets/hero-2.avif': ['index.html', 'main.js'],
    'a b.png': ['index.html'],
  })
})

it('tells images of one name apart by the folder that is written', async () => {
  const texts = { 'index.html': '<img src="../one/icon.png"><img src="%E0%A4%A/icon.png">', 'a.css': 'url(icon.png)' }
  expect(await places(texts, ['one/icon.png', 'two/icon.png'])).toEqual({
    'one/icon.png': ['a.css', 'index.html'],
    'two/icon.png': ['a.css'],
  })
})
