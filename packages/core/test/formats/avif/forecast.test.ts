import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import type { Curve } from '../../../src/encoding/search.ts'
import { encodeAvif } from '../../../src/formats/avif/encode.ts'
import { forecastStep } from '../../../src/formats/avif/forecast.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { countWork } from '../../../src/base/counters.ts'

/** A point for each setting. */
const CURVE: Curve = [
  [0, 40],
  [60, 100],
]
const HIGHEST = 57

const blank = (width: number, height: number): Picture =>
  createPicture({ data: Buffer.alloc(3 * width * height), width, height, channels: 3 })

/** Returns the forecast for a picture whose rows have this score, and the rows that were encoded. */
async function forecast(picture: Picture, score: number): Promise<{ step: number | undefined; rows: Picture[] }> {
  const rows: Picture[] = []
  const step = await forecastStep({
    picture,
    target: 80,
    curve: CURVE,
    highest: HIGHEST,
    encode: async (sample) => {
      rows.push(sample)
      return new Uint8Array()
    },
    score: async () => score,
  })
  return { step, rows }
}

describe('the setting that is forecast', () => {
  it('rises as much as the rows are missing of the target', async () => {
    const { step: easy } = await forecast(blank(1000, 1000), 86)
    const { step: typical } = await forecast(blank(1000, 1000), 82.6)
    const { step: hard } = await forecast(blank(1000, 1000), 78)
    expect(typical).toBe(42)
    expect(easy).toBeLessThan(42)
    expect(hard).toBeGreaterThan(44)
  })

  it('is no higher than settings may be', async () => {
    expect((await forecast(blank(1000, 1000), 20)).step).toBe(HIGHEST)
  })

  it('comes of a quarter of the rows, and of an eighth of a large picture', async () => {
    const [[small], [large]] = [
      (await forecast(blank(1000, 1024), 80)).rows,
      (await forecast(blank(1000, 2048), 80)).rows,
    ]
    expect([small!.width, small!.height]).toEqual([1000, 256])
    expect([large!.width, large!.height]).toEqual([1000, 256])
  })

  it('is none of what has few pixels or few rows', async () => {
    expect(await forecast(blank(600, 800), 80)).toEqual({ step: undefined, rows: [] })
    expect(await forecast(blank(4000, 500), 80)).toEqual({ step: undefined, rows: [] })
  })
})

async function decoded(name: string): Promise<Parameters<typeof createPicture>[0]> {
  const file = fileURLToPath(new URL(`../../../../../examples/images/${name}`, import.meta.url))
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}

describe('the search for an AVIF', () => {
  it('encodes a large photograph once, beside its rows', async () => {
    const picture = createPicture(await decoded('mountains.jpg'))
    const scorer = createScorer(picture)
    const { result, work } = await countWork(() =>
      encodeAvif({ picture, scorer, target: 80, effort: 'default', source: undefined }),
    )
    scorer.dispose()
    expect(work).toMatchObject({ encodes: { 'image/avif': 2 }, probes: 1, scores: 2 })
    expect(result[0]!.score).toBeGreaterThanOrEqual(80)
    expect(work.pixels).toBeLessThan(2.6 * picture.width * picture.height)
  })
})
