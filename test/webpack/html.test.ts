import { danglingReferences, graphic, photo, readReferences } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build, createBundlerProject } from './build.ts'

let project: Project
beforeAll(async () => {
  project = await createBundlerProject('webpack', 'html', {
    'src/index.html': `<!doctype html><link rel="icon" href="./icon.png"><meta property="og:image" content="./card.jpg">
<img src="./image.png" srcset="./image.png?w=60&amp;format=webp 60w, ./image.png 120w">
<div style="background: url(./style.png)"></div>`,
    'src/icon.png': await graphic(64, 64, 1).png(),
    'src/card.jpg': await photo(120, 90, 2).jpeg(),
    'src/image.png': await photo(120, 90, 3).png(),
    'src/style.png': await photo(120, 90, 4).png(),
  })
})
afterAll(() => project.dispose())

it('carries the images of pages that webpack reads itself', async () => {
  const { errors } = await build(project, 'webpack', {
    options: `{ convert: { type: 'image/webp' } }`,
    config: `{ entry: './src/index.html', experiments: { html: true, css: true }, module: {} }`,
  })
  expect(errors).toEqual([])
  const html = await project.readText('dist/index.html')
  expect(html).toMatch(/<link rel="icon" href="\/[\da-f]+\.png">/)
  expect(html).toMatch(/content="\/[\da-f]+\.jpg"/)
  expect(html).toMatch(/<img src="\/[\da-f]+\.webp" srcset="\/[\da-f]+\.webp 60w,\s*\/[\da-f]+\.webp 120w">/)
  expect(html).toMatch(/url\(\/[\da-f]+\.webp\)/)
  expect(danglingReferences(await readReferences(project.path('dist')))).toEqual([])
})
