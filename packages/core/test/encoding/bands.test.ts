import { beforeEach, describe, expect, it } from 'vitest'
import { openBands, withBands } from '../../src/encoding/bands.ts'
import type { Bands, Relation } from '../../src/encoding/bands.ts'
import { createPicture } from '../../src/encoding/picture.ts'
import type { Picture } from '../../src/encoding/picture.ts'
import type { Searched } from '../../src/encoding/search.ts'
import { encode } from '../../src/formats/jpeg/coding.ts'
import { createScorer } from '../../src/work/steps/scorer.ts'
import { colourPhoto, photo } from '../images.ts'

const [WIDTH, HEIGHT] = [1000, 840]
const RELATION: Relation = { margin: 16, above: 1.4, aboveBelow80: 0.07, risesLess: 0.07, bytesOff: 1.25 }
const OPTIONS = { quality: 90, progressive: false } as const

let picture: Picture

beforeEach(() => {
  picture = createPicture(colourPhoto(WIDTH, HEIGHT))
})

/** Gives three bands for a score of 80, which are closed afterwards. */
async function withThree<T>(use: (bands: Bands) => T | Promise<T>, relation: Relation = RELATION): Promise<T> {
  const scorer = createScorer(picture)
  const request = { picture, scorer, target: 80, effort: 'default', source: undefined, mostBytes: 8000 } as const
  const bands = openBands(request, 3, relation)
  try {
    return await use(bands)
  } finally {
    bands.close()
    scorer.dispose()
  }
}

const scoreOf = (relation: Relation): Promise<number> =>
  withThree(async ({ request }) => request.scorer.score(await encode(request.picture, OPTIONS)), relation)

describe('openBands', () => {
  it('takes 64 rows and margins for each band, in order, from where blocks of 16 rows begin', () =>
    withThree(({ request, share }) => {
      const { width, height, data } = request.picture
      expect([width, height, share]).toEqual([WIDTH, 3 * 96, HEIGHT / 288])
      const starts = [0, 96, 192].map((row) => {
        const line = data.subarray(row * width * 3, (row + 1) * width * 3)
        return picture.data.indexOf(line) / (width * 3)
      })
      expect(starts.map((start) => start % 16)).toEqual([0, 0, 0])
      expect(starts).toEqual(starts.toSorted((one, other) => one - other))
    }))

  it('allows their share of the bytes, and a little more', () =>
    withThree(({ request, share }) => {
      expect(request.mostBytes).toBeCloseTo((8000 / share) * 1.25, 5)
    }))

  it('does not compare the margins', () =>
    withThree(async ({ request }) => {
      const { picture: rows, scorer } = request
      const score = await scorer.score(await encode(rows, OPTIONS))
      const data = Buffer.from(rows.data)
      for (let row = 0; row < rows.height; row++) {
        const isCompared = row % 96 >= 16 && row % 96 < 80
        if (!isCompared) data.fill(128, row * rows.width * 3, (row + 1) * rows.width * 3)
      }
      const damaged = await scorer.score(await encode({ ...rows, data }, OPTIONS))
      expect(Math.abs(damaged - score)).toBeLessThan(3)
    }))

  it('gives the score of the whole: less by what bands are above it, and away from the target by what they gain less', async () => {
    const same = { margin: 0, above: 0, aboveBelow80: 0, risesLess: 0, bytesOff: 1 }
    const own = await scoreOf(same)
    expect(await scoreOf({ ...same, above: 2 })).toBeCloseTo(own - 2, 10)
    expect(await scoreOf({ ...same, risesLess: 0.5 })).toBeCloseTo(80 + (own - 80) * 2, 10)
  })

  it('keeps grey pictures grey', async () => {
    const grey = photo(WIDTH, HEIGHT).data.map((_, at, all) => all[at - (at % 3)]!)
    picture = { ...createPicture({ ...photo(WIDTH, HEIGHT), data: Buffer.from(grey) }), graphic: false }
    await withThree(async ({ request }) => {
      expect(request.picture.grey).toBe(true)
      expect(await request.scorer.score(await encode(request.picture, OPTIONS))).toBeGreaterThan(60)
    })
  })
})

describe('withBands', () => {
  it('estimates the bytes of the whole from those of bands', () =>
    withThree(async (bands) => {
      const found = await withBands(bands.request, bands, async () => ({ estimate: 1000 }) as Searched)
      expect(found.estimate).toBe(1000 * bands.share)
    }))

  it('searches with all rows where there are no bands', () =>
    withThree(async ({ request }) => {
      const found = await withBands(request, undefined, async (given) => {
        expect(given).toBe(request)
        return { estimate: 1000 } as Searched
      })
      expect(found.estimate).toBe(1000)
    }))
})
