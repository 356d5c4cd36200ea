import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { hasBands, openBands } from '../../../src/formats/jpeg/bands.ts'
import type { Bands } from '../../../src/formats/jpeg/bands.ts'
import { encode } from '../../../src/formats/jpeg/coding.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { colourPhoto, graphic, open, photo } from '../../images.ts'

const [WIDTH, HEIGHT] = [1000, 840]

/** A photograph as it comes from a JPEG, whose blocks an encode of it meets again. */
let picture: Picture

beforeEach(async () => {
  const jpeg = await open(colourPhoto(WIDTH, HEIGHT)).blur(1).jpeg({ quality: 90 }).toBuffer()
  picture = createPicture({ data: await sharp(jpeg).raw().toBuffer(), width: WIDTH, height: HEIGHT, channels: 3 })
})

/** Gives the bands for a score of 80, which are closed afterwards. */
async function withBands<T>(use: (bands: Bands) => T | Promise<T>): Promise<T> {
  const scorer = createScorer(picture)
  const request = { picture, scorer, target: 80, effort: 'default', source: undefined, mostBytes: 8000 } as const
  const bands = openBands(request)!
  try {
    return await use(bands)
  } finally {
    bands.close()
    scorer.dispose()
  }
}

describe('bands', () => {
  it('are a quarter of the rows and some around them, in order, and begin where blocks of 16 rows do', () =>
    withBands(({ request, share }) => {
      const { width, height, data } = request.picture
      expect([width, height, share]).toEqual([WIDTH, 3 * 96, HEIGHT / 288])
      const starts = [0, 96, 192].map((row) => {
        const line = data.subarray(row * width * 3, (row + 1) * width * 3)
        return picture.data.indexOf(line) / (width * 3)
      })
      expect(starts.map((start) => start % 16)).toEqual([0, 0, 0])
      expect(starts).toEqual(starts.toSorted((one, other) => one - other))
    }))

  it('have the bytes that are their share, and a little more', () =>
    withBands(({ request, share }) => {
      expect(request.mostBytes).toBeCloseTo((8000 / share) * 1.25, 5)
    }))

  it.each([70, 85])('foretell the score of the whole at setting %i', async (quality) => {
    const options = { quality, progressive: false, quantisationTable: 5 }
    const scorer = createScorer(picture)
    const whole = await scorer.score(await encode(picture, options))
    scorer.dispose()
    const foretold = await withBands(async ({ request }) =>
      request.scorer.score(await encode(request.picture, options)),
    )
    expect(Math.abs(foretold - whole)).toBeLessThan(2)
  })

  it('are compared without the rows around them', () =>
    withBands(async ({ request }) => {
      const { picture: rows, scorer } = request
      const options = { quality: 90, progressive: false }
      const score = await scorer.score(await encode(rows, options))
      const data = Buffer.from(rows.data)
      for (let row = 0; row < rows.height; row++) {
        const isCompared = row % 96 >= 16 && row % 96 < 80
        if (!isCompared) data.fill(128, row * rows.width * 3, (row + 1) * rows.width * 3)
      }
      const damaged = await scorer.score(await encode({ ...rows, data }, options))
      expect(Math.abs(damaged - score)).toBeLessThan(3)
    }))

  it('are grey where the picture is', async () => {
    const grey = photo(WIDTH, HEIGHT).data.map((_, at, all) => all[at - (at % 3)]!)
    picture = { ...createPicture({ ...photo(WIDTH, HEIGHT), data: Buffer.from(grey) }), graphic: false }
    await withBands(async ({ request }) => {
      expect(request.picture.grey).toBe(true)
      expect(await request.scorer.score(await encode(request.picture, { quality: 90 }))).toBeGreaterThan(60)
    })
  })

  it.each([
    ['a drawing', graphic(WIDTH, HEIGHT)],
    ['a picture of few pixels', colourPhoto(600, 700)],
    ['a picture of few rows', colourPhoto(2000, 400)],
  ])('are not those of %s', (_, raw) => {
    expect(hasBands(createPicture(raw))).toBe(false)
  })
})
