import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPicture } from '../../src/encoding/picture.ts'
import type { Picture } from '../../src/encoding/picture.ts'
import {
  estimateTruecolour,
  MOST_TRIALS,
  MOST_TRIALS_OF_SMALL,
  searchTruecolour,
} from '../../src/encoding/truecolour.ts'
import type { TruecolourRequest } from '../../src/encoding/truecolour.ts'
import { isNearLossless } from '../../src/encoding/truecolour-png.ts'
import { createScorer } from '../../src/work/steps/scorer.ts'

async function picture(name: string): Promise<Picture> {
  const source = await readFile(new URL(`../quality/metric/fixtures/${name}`, import.meta.url))
  const { data, info } = await sharp(source).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return createPicture({ data, width: info.width, height: info.height, channels: 4 })
}

/** The green of a picture alone. */
function inGrey({ data, width, height }: Picture): Picture {
  const grey = Buffer.from(data.map((_, at) => data[at - (at % 3) + 1]!))
  return createPicture({ data: grey, width, height, channels: 3 })
}

/** Fades out towards the right, with colours under what is not seen. */
function fadingOut({ data, width, height }: Picture): Picture {
  const faded = Buffer.alloc(width * height * 4)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const x = (pixel % width) / width
    faded.set(data.subarray(3 * pixel, 3 * pixel + 3), 4 * pixel)
    faded[4 * pixel + 3] = Math.max(0, Math.min(255, Math.round(400 - 500 * x)))
  }
  return createPicture({ data: faded, width, height, channels: 4 })
}

async function search(of: Picture, options: Partial<TruecolourRequest> = {}) {
  const scorer = createScorer(of)
  let scores = 0
  const scorePixels = (data: Uint8Array): number => {
    scores++
    return scorer.scorePixels(data)
  }
  try {
    // prettier-ignore
    const request = { picture: of, scorer: { ...scorer, scorePixels }, target: 80, effort: 'default' as const, mostBytes: Infinity, ...options }
    const found = searchTruecolour(request)
    const judged = found === undefined ? undefined : await judge(found.draft(), of)
    return { found, scores, judged }
  } finally {
    scorer.dispose()
  }
}

async function judge(png: Uint8Array, of: Picture): Promise<{ score: number; kept: number }> {
  const scorer = createScorer(of)
  const score = await scorer.score(png)
  const { kept } = await scorer.promiseKeptBy(png, 'photograph', score)
  scorer.dispose()
  return { score, kept }
}

describe('a near-lossless photograph', () => {
  it.each([
    [60, 'default'],
    [70, 'default'],
    [80, 'default'],
    [90, 'default'],
    [80, 'fast'],
    [80, 'max'],
  ] as const)('keeps the promise of %i with %s effort, in a few scores', async (target, effort) => {
    for (const name of ['coffee.png', 'chelsea.png']) {
      const { found, scores, judged } = await search(await picture(name), { target, effort })
      expect(judged!.score).toBe(found!.score)
      expect(judged!.kept).toBeGreaterThanOrEqual(target)
      expect(judged!.kept).toBeLessThan(target + 4)
      expect(scores).toBeLessThanOrEqual(name === 'chelsea.png' ? MOST_TRIALS_OF_SMALL : MOST_TRIALS[effort])
      expect(isNearLossless(found!.draft())).toBe(true)
    }
  })

  it('takes less than half of its lossless bytes, and fewer at a lower promise', async () => {
    const coffee = await picture('coffee.png')
    const lossless = await sharp(coffee.data, { raw: { width: coffee.width, height: coffee.height, channels: 3 } })
      .png({ compressionLevel: 9, adaptiveFiltering: true })
      .toBuffer()
    const at80 = (await search(coffee)).found!.draft().length
    const at70 = (await search(coffee, { target: 70 })).found!.draft().length
    expect(at80).toBeLessThan(0.45 * lossless.length)
    expect(at70).toBeLessThan(0.85 * at80)
  })

  it('keeps every alpha, and shows nothing of the colours that are not seen', async () => {
    const faded = fadingOut(await picture('coffee.png'))
    const { found, judged } = await search(faded)
    expect(judged!.kept).toBeGreaterThanOrEqual(80)
    const { data, info } = await sharp(found!.draft()).raw().toBuffer({ resolveWithObject: true })
    expect(info.channels).toBe(4)
    for (let at = 3; at < data.length; at += 4) expect(data[at]).toBe(faded.data[at])
  })

  it('has one channel where it is grey, and two with alpha', async () => {
    const grey = inGrey(await picture('coffee.png'))
    expect(grey.grey).toBe(true)
    for (const [of, channels] of [
      [grey, 1],
      [fadingOut(grey), 2],
    ] as const) {
      const { found, judged } = await search(of)
      expect(judged!.kept).toBeGreaterThanOrEqual(80)
      expect((await sharp(found!.draft()).metadata()).channels).toBe(channels)
    }
  })

  it('takes about the bytes that are estimated without a score', async () => {
    const coffee = await picture('coffee.png')
    const bytes = (await search(coffee)).found!.encode('thorough').length
    expect(estimateTruecolour({ picture: coffee, target: 80 }) / bytes).toBeCloseTo(1, 0)
  })

  it('is the same each time', async () => {
    const coffee = await picture('coffee.png')
    const first = (await search(coffee)).found!.draft()
    await search(await picture('chelsea.png'))
    expect((await search(coffee)).found!.draft()).toEqual(first)
  })

  it('is none at a promise that hardly allows any difference', async () => {
    expect((await search(await picture('coffee.png'), { target: 99 })).found).toBeUndefined()
  })

  it('is given up without a score where it would take far too many bytes', async () => {
    const { found, scores } = await search(await picture('coffee.png'), { mostBytes: 2000 })
    expect([found, scores]).toEqual([undefined, 0])
  })
})
