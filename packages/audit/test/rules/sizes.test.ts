import { photo } from '@pixpress/testkit'
import { createOptimizer } from '@pixpress/core'
import { describe, expect, it } from 'vitest'
import { sizeFaults } from '../../src/rules/sizes.ts'
import type { Visit } from '../../src/visit/facts.ts'
import type { ImageFacts } from '../../src/visit/page-facts.ts'

const WIDTHS = [300, 600, 1200]

const urlOf = (width: number): string => `http://127.0.0.1/w${width}.webp`

/**
 * Returns the visit of an `<img sizes="300px">` with some widths, drawn 300 pixels wide at one pixel each, for which
 * the browser loaded one of them.
 */
async function visitOf(widths: readonly number[], loaded: number): Promise<Visit> {
  const bytes = await photo(loaded, (loaded * 2) / 3).webp(80)
  const optimizer = createOptimizer({ cache: false })
  const header = await optimizer.probe(bytes)
  await optimizer.close()
  const image: ImageFacts = {
    path: 'img',
    tag: '<img>',
    url: urlOf(loaded),
    hasSource: true,
    sizes: '300px',
    candidates: widths.map((width) => ({ url: urlOf(width), width })),
    types: [],
    isTyped: false,
    others: [],
    isLazy: false,
    priority: 'auto',
    isDecoration: false,
    isComplete: true,
    naturalWidth: 300,
    naturalHeight: 200,
    hasBox: true,
    isShown: true,
    width: 300,
    height: 200,
    top: 0,
    left: 0,
    fit: 'fill',
    hasDimensions: true,
    isSizedByStyle: false,
    hasAutoWidth: false,
    hasAutoHeight: false,
    isInFlow: true,
  }
  const file = { url: image.url, status: 200, mimeType: 'image/webp', bytes: bytes.length, digest: '', header }
  return {
    page: '/',
    viewport: { name: '1280', width: 1280, height: 800, ratio: 1 },
    facts: { images: [image], backgrounds: [], besides: [], preloads: [], links: [] },
    loaded: new Map([[image.url, file]]),
    early: new Set(),
    html: '',
    refused: [],
  }
}

const kindsOf = (visit: Visit): string[] => sizeFaults(visit, 100).map(({ kind }) => kind)

describe('a list of widths', () => {
  it('has a gap where its nearest candidate is far too wide', async () => {
    expect(kindsOf(await visitOf([100, 1200], 1200))).toEqual(['srcset-gap'])
  })

  it('has none where the browser took a larger candidate that it had already', async () => {
    expect(kindsOf(await visitOf(WIDTHS, 1200))).toEqual([])
    expect(kindsOf(await visitOf(WIDTHS, 300))).toEqual([])
  })
})
