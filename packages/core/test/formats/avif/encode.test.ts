import { decodeIndependently, requireTool } from '@pixpress/testkit'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Candidate } from '../../../src/encoding/request.ts'
import { encodeWithAlpha } from '../../../src/formats/avif/alpha.ts'
import { AVIF_SETTINGS } from '../../../src/formats/avif/curves.ts'
import { encodeAvif } from '../../../src/formats/avif/encode.ts'
import { optimize } from '../../../src/index.ts'
import { createReference } from '../../../src/quality/metric/ssimulacra2.ts'
import type { Effort } from '../../../src/base/types.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { countWork } from '../../../src/base/counters.ts'
import { graphic, photo } from '../../images.ts'

type Drawn = Parameters<typeof createPicture>[0]

/** A photograph of many colours: each channel has waves and grain of its own. */
function manyColours(width: number, height: number): Drawn {
  const channels = [1, 2, 3].map((seed) => photo(width, height, seed).data)
  const data = Buffer.alloc(width * height * 3)
  for (let at = 0; at < data.length; at++) data[at] = channels[at % 3]![at]!
  return { data, width, height, channels: 3 }
}

/** Large blocks of few colours, and thin lines between them. */
function flatDrawing(width: number, height: number): Drawn {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const block = Math.floor(x / 96) * 3 + Math.floor(y / 64)
      const line = x % 96 < 2 || (x + 2 * y) % 251 < 2
      data.set(line ? [20, 30, 160] : [block * 12, 255 - block * 14, (block * 61) % 256], (y * width + x) * 3)
    }
  }
  return { data, width, height, channels: 3 }
}

async function encode(drawn: Drawn, effort: Effort, mostBytes?: number): Promise<readonly Candidate[]> {
  const picture = createPicture(drawn)
  const scorer = createScorer(picture)
  try {
    return await encodeAvif({ picture, scorer, target: 80, effort, source: undefined, mostBytes })
  } finally {
    scorer.dispose()
  }
}

const depthOf = async ([found]: readonly Candidate[]): Promise<number | undefined> =>
  (await sharp(found!.data).metadata()).bitsPerSample

describe('the bits of a result', () => {
  it('are 8 of a photograph, and 10 with much effort', async () => {
    expect(await depthOf(await encode(manyColours(400, 300), 'fast'))).toBe(8)
    expect(await depthOf(await encode(manyColours(400, 300), 'default'))).toBe(8)
    expect(await depthOf(await encode(manyColours(400, 300), 'max'))).toBe(10)
  })

  it('are 10 once 8 are not good enough', async () => {
    const picture = createPicture(manyColours(400, 300))
    const scorer = createScorer(picture)
    const [found] = await encodeAvif({ picture, scorer, target: 80, effort: 'default', source: undefined })
    const better = await found!.raise!(2)
    expect(await depthOf([better!])).toBe(10)
    expect(better!.score).toBeGreaterThan(80)
    scorer.dispose()
  })

  it('come with more effort once 8 are not good enough', async () => {
    const picture = createPicture(manyColours(400, 300))
    const scorer = createScorer(picture)
    const [found] = await encodeAvif({ picture, scorer, target: 80, effort: 'default', source: undefined })
    const better = await found!.raise!(2)
    let alike: Uint8Array | undefined
    for (const quality of AVIF_SETTINGS) {
      alike = await encodeWithAlpha(picture, quality, { effort: 1, bits: 10 })
      if ((await scorer.score(alike)) >= better!.score) break
    }
    expect(better!.data.length).toBeLessThan(0.95 * alike!.length)
    scorer.dispose()
  })

  it('are 10 of small pictures, and of drawings that have no time or are not flat', async () => {
    expect(await depthOf(await encode(manyColours(200, 150), 'default'))).toBe(10)
    expect(await depthOf(await encode(graphic(400, 300), 'fast'))).toBe(10)
    expect(await depthOf(await encode(photo(400, 300), 'default'))).toBe(10)
  })

  it('are 8 of flat drawings, also once they are made better', async () => {
    const picture = createPicture(flatDrawing(400, 300))
    const scorer = createScorer(picture)
    const [found] = await encodeAvif({ picture, scorer, target: 80, effort: 'default', source: undefined })
    const better = await found!.raise!(3)
    expect(await depthOf([found!])).toBe(8)
    expect(await depthOf([better!])).toBe(8)
    expect(better!.score).toBeGreaterThan(found!.score)
    scorer.dispose()
  })

  it.skipIf(requireTool('avifdec') === undefined)('leave the score no better than what avifdec shows', async () => {
    const drawn = manyColours(400, 300)
    const picture = createPicture(drawn)
    const [found] = await encode(drawn, 'fast')
    const { pixels } = await decodeIndependently(found!.data)
    const { width, height } = picture
    const shown = await sharp(pixels, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .raw()
      .toBuffer()
    const reference = createReference(picture)
    expect(reference.score({ ...picture, data: shown })).toBeGreaterThan(found!.score - 0.05)
    reference.dispose()
  })
})

/** A photograph made small, as a thumbnail or an avatar is. */
async function thumbnail(name: string, side: number): Promise<Drawn> {
  const file = fileURLToPath(new URL(`../../quality/metric/fixtures/${name}`, import.meta.url))
  const opened = sharp(file).resize(side, side).removeAlpha().toColourspace('srgb')
  return { data: await opened.raw().toBuffer(), width: side, height: side, channels: 3 }
}

describe('a small photograph', () => {
  it.each([
    ['coffee.png', 64],
    ['coffee.png', 80],
    ['chelsea.png', 64],
    ['chelsea.png', 80],
  ])('reaches the promise by its score, and by its guards at twice its size: %s at %d pixels', async (name, side) => {
    const { data, ...raw } = await thumbnail(name, side)
    const source = await sharp(data, { raw }).png().toBuffer()
    const { score, notes } = await optimize(source, { quality: 80, convert: { type: 'image/avif' } })
    expect(score).toBeGreaterThanOrEqual(80)
    expect(notes).toEqual([])
  })

  it('may take settings beyond 95, which miss the promise of 80 for one in four', async () => {
    const drawn = await thumbnail('coffee.png', 64)
    const picture = createPicture(drawn)
    const scorer = createScorer(picture)
    try {
      const at95 = await scorer.score(await encodeWithAlpha(picture, 95, { effort: 1 }))
      const [best] = await encodeAvif({ picture, scorer, target: 100, effort: 'default', source: undefined })
      expect(best!.score).toBeGreaterThan(at95)
    } finally {
      scorer.dispose()
    }
  })
})

describe('a drawing that other types make small', () => {
  it('is given up at half its size, unless much effort is to be made', async () => {
    const drawn = graphic(400, 300)
    const quick = await countWork(() => encode(drawn, 'default', 50))
    expect(quick.result).toEqual([])
    expect(quick.work).toMatchObject({ encodes: { 'image/avif': 1 }, scores: 0 })
    const thorough = await countWork(() => encode(drawn, 'max', 50))
    expect(thorough.work.scores).toBeGreaterThan(0)
  })

  it('is encoded once at a setting, however often a raise comes back to it', async () => {
    const picture = createPicture(flatDrawing(400, 300))
    const scorer = createScorer(picture)
    const request = { picture, scorer, target: 80, effort: 'default', source: undefined } as const
    const [found] = await encodeAvif(request)
    const { work: first } = await countWork(async () => (await found!.raise!(3))!)
    const { work: again } = await countWork(async () => (await found!.raise!(3))!)
    scorer.dispose()
    expect(first.encodes).toEqual({ 'image/avif': 1 })
    expect(again.encodes).toEqual({})
  })

  it('has no rows encoded beforehand, which tell the setting of photographs alone', async () => {
    const { work } = await countWork(() => encode(flatDrawing(1000, 768), 'default'))
    expect(work.encodes['image/avif']).toBe(work.probes)
  })
})
