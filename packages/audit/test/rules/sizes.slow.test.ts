import { photo, naming } from '@pixpress/testkit'
import { createOptimizer } from '@pixpress/core'
import { describe, expect, it } from 'vitest'
import { sizeFaults } from '../../src/rules/sizes.ts'
import type { Sighting } from '../../src/findings/findings.ts'
import type { Visit } from '../../src/visit/facts.ts'
import type { ImageFacts } from '../../src/visit/page-facts.ts'
import { DRAWN_IMAGE } from '../drawn-image.ts'

const WIDTHS = [300, 600, 1200]

const urlOf = (width: number): string => `http://127.0.0.1/w${width}.webp`

/** The window of an image, and how the image differs from one of 300 pixels without `sizes`. */
interface Given {
  readonly window?: number
  readonly image?: Partial<ImageFacts>
}

/**
 * Returns the visit of an `<img sizes="300px">` with some widths, drawn 300 pixels wide at one pixel each, for which
 * the browser loaded one of them.
 */
async function visitOf(
  widths: readonly number[],
  loaded: number,
  { window = 1280, image: given = { sizes: '300px' } }: Given = {},
): Promise<Visit> {
  const bytes = await photo(loaded, (loaded * 2) / 3).webp(80)
  const optimizer = createOptimizer({ cache: false })
  const header = await optimizer.probe(bytes)
  await optimizer.close()
  const candidates = widths.map((width) => ({ url: urlOf(width), width }))
  const image: ImageFacts = { ...DRAWN_IMAGE, url: urlOf(loaded), candidates, ...given }
  const file = { url: image.url, status: 200, mimeType: 'image/webp', bytes: bytes.length, digest: '', header }
  return {
    page: '/',
    viewport: { name: String(window), width: window, height: 800, ratio: 1 },
    facts: { images: [image], backgrounds: [], besides: [], preloads: [], links: [] },
    loaded: new Map([[image.url, file]]),
    early: new Set(),
    html: '',
    refused: [],
    errors: [],
  }
}

const kindsOf = (visit: Visit): string[] => sizeFaults(visit, 100).map(({ kind }) => kind)

/** Returns the fault of an image of 1200 pixels in a window of 600, for which the browser went by 600. */
async function wideSighting(image: Partial<ImageFacts>): Promise<Sighting | undefined> {
  const wide = { width: 1200, height: 800, naturalWidth: 600, naturalHeight: 400, ...image }
  return sizeFaults(await visitOf(WIDTHS, 600, { window: 600, image: wide }), 100)[0]
}

/** Returns its kind, and the clause of what the browser went by. */
async function wideFault(sizes: string, image: Partial<ImageFacts> = {}): Promise<string> {
  const { kind, message } = (await wideSighting({ ...image, sizes }))!
  return `${kind}: ${/, and (.*):/.exec(message)![1]}`
}

describe('an image without sizes', () => {
  it('lacks them only where there are several widths to choose from', async () => {
    expect(kindsOf(await visitOf([300, 600], 600, { image: {} }))).toEqual(['sizes-missing'])
    expect(kindsOf(await visitOf([300], 300, { image: {} }))).toEqual([])
  })
})

describe('an image that is wider than its window', () => {
  it('is said to have no sizes where it has none', async () => {
    const { kind, message } = (await wideSighting({}))!
    expect(kind).toBe('sizes-missing')
    expect(message).toEqual(naming('1200 pixels', '600', "'sizes'", '600 pixels', '1200'))
  })

  it('is told by what the browser went by', async () => {
    expect(await wideFault('100vw')).toBe("sizes-too-small: 'sizes' says 600")
    expect(await wideFault(' ')).toEqual(naming("'sizes'", '600'))
    expect(await wideFault('auto, 100vw', { isLazy: true })).toEqual(naming('"auto"', '600 when'))
    expect(await wideFault('auto')).toEqual(naming("'sizes'", '600'))
  })

  it('is not told to have sizes="auto" where it has that', async () => {
    const visit = await visitOf(WIDTHS, 600)
    const fixes = ['auto, 100vw', '100vw'].map(async (sizes) => {
      const { fix } = (await wideSighting({ sizes, isLazy: true }))!
      return typeof fix === 'string' ? fix : fix([visit])
    })
    expect(await Promise.all(fixes)).toEqual(['write sizes="300px"', naming('"300px"', '"auto"')])
  })
})

describe('a list of widths', () => {
  it('has a gap where its nearest candidate is far too wide', async () => {
    expect(kindsOf(await visitOf([100, 1200], 1200))).toEqual(['srcset-gap'])
  })

  it('has none where the browser took a larger candidate that it had already', async () => {
    expect(kindsOf(await visitOf(WIDTHS, 1200))).toEqual([])
    expect(kindsOf(await visitOf(WIDTHS, 300))).toEqual([])
  })
})
