import { createOptimizer } from '@pixpress/core'
import { photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { layoutFaults } from '../../src/rules/layout.ts'
import type { Visit } from '../../src/visit/facts.ts'
import type { ImageFacts } from '../../src/visit/page-facts.ts'
import { DRAWN_IMAGE } from '../drawn-image.ts'

/** Returns the kind of each fault of an image in a page, and what mends it. */
async function faultsOf(image: Partial<ImageFacts>): Promise<(readonly [string, unknown])[]> {
  const bytes = await photo(300, 200).png()
  const optimizer = createOptimizer({ cache: false })
  const header = await optimizer.probe(bytes)
  await optimizer.close()
  const file = { url: DRAWN_IMAGE.url, status: 200, mimeType: 'image/png', bytes: bytes.length, digest: '', header }
  const visit: Visit = {
    page: '/',
    viewport: { name: '1280', width: 1280, height: 800, ratio: 1 },
    facts: { images: [{ ...DRAWN_IMAGE, ...image }], backgrounds: [], besides: [], preloads: [], links: [] },
    loaded: new Map([[DRAWN_IMAGE.url, file]]),
    early: new Set(),
    html: '',
    refused: [],
    errors: [],
  }
  return layoutFaults(visit).map(({ kind, fix }) => [kind, fix])
}

describe('layoutFaults', () => {
  it('finds nothing in an image that is drawn as it is', async () => {
    expect(await faultsOf({})).toEqual([])
  })

  it.each([
    ['its height', {}, 'write object-fit: cover, or height: auto'],
    [
      'its aspect-ratio',
      { hasAutoHeight: true, hasStyleRatio: true },
      'write object-fit: cover, or aspect-ratio: 300 / 200',
    ],
    ['both lengths beside an aspect-ratio', { hasStyleRatio: true }, 'write object-fit: cover, or height: auto'],
    ['what surrounds it', { hasAutoHeight: true }, 'write object-fit: cover'],
  ])('names what mends an image that %s distorts', async (_, image, fix) => {
    expect(await faultsOf({ height: 300, ...image })).toEqual([['distorted', fix]])
  })

  it.each([
    [
      'whose size nothing sets',
      { hasAutoWidth: true, hasAutoHeight: true },
      'width="300" height="200" style="height: auto"',
    ],
    [
      'that browsers scale by its EXIF resolution',
      { hasAutoWidth: true, hasAutoHeight: true, naturalWidth: 150, naturalHeight: 100, width: 150, height: 100 },
      'width="150" height="100" style="height: auto"',
    ],
    ['whose width is set', { hasAutoHeight: true }, 'style="aspect-ratio: 300 / 200"'],
  ])('gives an image %s room without distorting it', async (_, image, attributes) => {
    expect(await faultsOf({ hasDimensions: false, ...image })).toEqual([['missing-dimensions', `write ${attributes}`]])
  })
})
