import { readFile, readdir } from 'node:fs/promises'
import { createOptimizer } from '@pixpress/core'
import type { Optimizer } from '@pixpress/core'
import { requireTool } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { launch } from './chromium.ts'
import { openGallery } from './svg-look.ts'
import type { Gallery } from './svg-look.ts'

const folder = new URL('../../packages/core/test/fixtures/svg/', import.meta.url)
const FILES = (await readdir(folder)).filter((name) => name.endsWith('.svg') && name !== 'css-nest.svg').sort()

const CATEGORIES: readonly (readonly [category: string, files: RegExp])[] = [
  ['ids that a style sheet names', /^id-/],
  ['style sheets and style attributes', /^(?:class-|css-|d-css|r-css|light-dark|rect-css|white-space)/],
  ['animations', /^(?:animat|rect-anim|set-)/],
  ['scripts', /^(?:data-attr-js|onload)/],
  ['transforms', /^(?:group-transform|skew-arc|stroke-scale|transform-|vector-effect)/],
  ['text, embedded HTML and entities', /^(?:doctype|entities|foreign|paint-order|pre|switch|text-|title)\b/],
  ['references', /^(?:clip-eo|feimage|grad-href|marker-mid|pattern-href)/],
  ['geometry', /^(?:arc|cap|dash|hugecoord|large-numbers|nested|par|rx|scaled-up|small-vb|tiny|zlen)\./],
  ['paint', /^(?:blend|currentColor|group-op|inherit|opacity0|p3)/],
]

const chromium = requireTool('chromium')
let browser: Browser
let gallery: Gallery
let optimizer: Optimizer

beforeAll(async () => {
  if (chromium === undefined) return
  optimizer = createOptimizer()
  browser = await launch(chromium)
  gallery = await openGallery(browser)
})

afterAll(async () => {
  await gallery?.close()
  await browser?.close()
  await optimizer?.close()
})

describe.skipIf(chromium === undefined)('an optimised SVG in Chromium', () => {
  it('has every file of the folder in one category', () => {
    for (const file of FILES) {
      expect([file, CATEGORIES.filter(([, files]) => files.test(file)).length]).toEqual([file, 1])
    }
  })

  describe.each(CATEGORIES)('%s', (_, files) => {
    it.each(FILES.filter((file) => files.test(file)))('%s looks as its source', async (file) => {
      const source = await readFile(new URL(file, folder), 'utf8')
      const { data } = await optimizer.optimize(Buffer.from(source), {}, { file })
      const before = await gallery.looksOf(source, source)
      const after = await gallery.looksOf(source, Buffer.from(data).toString())
      expect([...after.keys()]).toEqual([...before.keys()])
      for (const [state, look] of before) {
        await expectSameLook(state, look, after.get(state)!)
      }
    })
  })
})

/**
 * Levels of 255 by which the pixels of an edge may differ, and the share of the picture that such edges may be:
 * Chromium takes 16 samples per pixel of an outline, and one of them changes where a coordinate is rounded.
 */
const ROUNDING = 17
const EDGES = 0.005

async function expectSameLook(state: string, one: Buffer, other: Buffer): Promise<void> {
  if (one.equals(other)) return
  const [before, after] = await Promise.all([one, other].map((png) => sharp(png).raw().toBuffer()))
  let [largest, count] = [0, 0]
  for (const [at, level] of before!.entries()) {
    const difference = Math.abs(level - after![at]!)
    largest = Math.max(largest, difference)
    if (difference > 2) count++
  }
  expect(largest, `${state}: levels`).toBeLessThanOrEqual(ROUNDING)
  expect(count / before!.length, `${state}: share of the picture`).toBeLessThan(EDGES)
}
