import { describe, expect, it } from 'vitest'
import { sizeFaults } from '../../src/rules/sizes.ts'
import { DRAWN_IMAGE } from '../drawn-image.ts'

const urlOf = (width: number): string => `http://127.0.0.1/w${width}.webp`

/** Returns the faults of an image for which the browser took `sizes` for a number of pixels, and loaded one width. */
function kindsOf(drawn: number, said: number, [right, loaded]: readonly [number, number]): string[] {
  const url = urlOf(loaded)
  const header = {
    type: 'image/webp',
    width: loaded,
    height: loaded,
    size: 90_000,
    hasAlpha: false,
    frames: 1,
  } as const
  const image = {
    ...DRAWN_IMAGE,
    url,
    candidates: [right, loaded].map((width) => ({ url: urlOf(width), width })),
    sizes: '100vw',
    width: drawn,
    height: drawn,
    naturalWidth: said,
    naturalHeight: said,
  }
  const file = { url, status: 200, mimeType: 'image/webp', bytes: header.size, digest: '' }
  const faults = sizeFaults(
    {
      page: '/',
      viewport: { name: '1280', width: 1280, height: 800, ratio: 1 },
      facts: { images: [image], backgrounds: [], besides: [], preloads: [], links: [] },
      loaded: new Map([[url, { ...file, header: { ...header, orientation: 1, depth: 8 } }]]),
      early: new Set(),
      html: '',
      refused: [],
      errors: [],
    },
    100,
  )
  return faults.map(({ kind }) => kind)
}

describe('sizes', () => {
  it('may leave out the scroll bar and margins', () => {
    expect(kindsOf(1265, 1280, [1270, 1600])).toEqual([])
    expect(kindsOf(1120, 1280, [1200, 1600])).toEqual([])
  })

  it('are wrong when they say far more than is drawn', () => {
    expect(kindsOf(1000, 1280, [1000, 1600])).toEqual(['sizes-too-large'])
  })
})
