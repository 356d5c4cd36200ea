import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { MOST_SCORES_IN_ALL, searchPalettes } from '../../src/encoding/palette.ts'
import { kindOfPalette } from '../../src/encoding/result-kind.ts'
import { createPicture } from '../../src/encoding/picture.ts'
import type { Picture } from '../../src/encoding/picture.ts'
import type { Scorer } from '../../src/encoding/request.ts'
import { encodePng } from '../../src/formats/png/encode.ts'
import { optimize } from '../../src/index.ts'
import { createGuards, violations } from '../../src/quality/guards/index.ts'
import { enlargeTwice } from '../../src/quality/guards/twice.ts'
import { ssimulacra2 } from '../../src/quality/metric/ssimulacra2.ts'
import type { Pixels } from '../../src/quality/metric/ssimulacra2.ts'
import { createScorer } from '../../src/work/steps/scorer.ts'

const FIXTURES = path.join(import.meta.dirname, '../fixtures/guards')
const ICONS = ['layers.png', 'backpack-24.png', 'announcement-24.png'] as const

async function pixelsOf(image: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(image)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 4 }
}

describe.each(['high', 'balanced', 'small'] as const)('a palette at the promise %s', (quality) => {
  const promise = { high: 80, balanced: 70, small: 60 }[quality]

  it.each(ICONS)('keeps what is clear and what is opaque in %s, and passes the guards', async (name) => {
    const source = await readFile(path.join(FIXTURES, name))
    const { data, kept } = await optimize(source, { quality })
    expect(kept).toBe('output')
    const [before, after] = [await pixelsOf(source), await pixelsOf(data)]
    for (let at = 3; at < before.data.length; at += 4) {
      const alpha = before.data[at]!
      if (alpha === 0 || alpha === 255) expect([at, after.data[at]]).toEqual([at, alpha])
    }
    const guards = createGuards(before)
    expect(violations(guards.measure(after), promise, 'palette')).toEqual([])
    guards.dispose()
  })

  it.each(ICONS)('keeps the score at twice the size of %s too', async (name) => {
    const source = await readFile(path.join(FIXTURES, name))
    const { data } = await optimize(source, { quality })
    const [before, after] = [await pixelsOf(source), await pixelsOf(data)]
    expect(ssimulacra2(before, after)).toBeGreaterThanOrEqual(promise)
    expect(ssimulacra2(enlargeTwice(before), enlargeTwice(after))).toBeGreaterThanOrEqual(promise)
  })
})

describe('a drawing on white', () => {
  it('keeps its white, as a page around it would show any other', async () => {
    const width = 160
    const height = 120
    const svg = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g"><stop stop-color="#fdfdfd"/><stop offset="1" stop-color="#204080"/></linearGradient></defs><rect width="160" height="120" fill="#fff"/><circle cx="80" cy="60" r="44" fill="url(#g)"/></svg>`,
    )
    const source = await sharp(svg).png().toBuffer()
    const { data } = await optimize(source)
    const [before, after] = [await pixelsOf(source), await pixelsOf(data)]
    for (const [x, y] of [
      [3, 3],
      [156, 3],
      [3, 116],
      [156, 116],
      [80, 8],
    ] as const) {
      const at = (y * width + x) * 4
      expect([...after.data.subarray(at, at + 4)]).toEqual([...before.data.subarray(at, at + 4)])
    }
  })
})

/** A scorer that counts how often it is asked for a score of pixels. */
function countingScorer(picture: Picture): { scorer: Scorer; count: () => number } {
  const scorer = createScorer(picture)
  let count = 0
  const scorePixels = (data: Uint8Array): number => {
    count++
    return scorer.scorePixels(data)
  }
  return { scorer: { ...scorer, scorePixels }, count: () => count }
}

async function pictureOf(source: string | Buffer, width?: number): Promise<Picture> {
  const opened = sharp(source).resize({ width, withoutEnlargement: true }).toColourspace('srgb').ensureAlpha()
  const { data, info } = await opened.raw().toBuffer({ resolveWithObject: true })
  return createPicture({ data, width: info.width, height: info.height, channels: 4 })
}

const PHOTOGRAPHS = path.join(import.meta.dirname, '../quality/metric/fixtures')

const DRAWING = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#fff"/>${Array.from(
    { length: 12 },
    (_, i) =>
      `<circle cx="${40 + i * 47}" cy="${200 + 120 * Math.sin(i)}" r="${20 + i * 3}" fill="hsl(${i * 30} 80% 50%)"/>`,
  ).join('')}</svg>`,
)

const KINDS = [
  ['a photograph', () => pictureOf(path.join(PHOTOGRAPHS, 'coffee.png'))],
  ['a drawing', () => pictureOf(DRAWING)],
  ['a cut-out', () => pictureOf(path.join(import.meta.dirname, '../fixtures/cutouts/composites/trim-0.png'), 400)],
] as const

describe.each(KINDS)('the search for palettes of %s', (_, open) => {
  it.each(['fast', 'default', 'max'] as const)('with effort %s takes few scores', async (effort) => {
    const picture = await open()
    const { scorer, count } = countingScorer(picture)
    const most = MOST_SCORES_IN_ALL[effort]
    for (const target of [60, 80, 90]) {
      const before = count()
      searchPalettes({ picture, scorer, target, effort })
      expect(count() - before).toBeLessThanOrEqual(most)
    }
    scorer.dispose()
  })

  it('finds only what keeps the promise, guards included', async () => {
    const picture = await open()
    const scorer = createScorer(picture)
    for (const target of [60, 70, 80]) {
      for (const { png, score, colours } of searchPalettes({ picture, scorer, target, effort: 'default' })) {
        expect(await scorer.score(png)).toBeCloseTo(score, 9)
        expect(score).toBeGreaterThanOrEqual(target)
        const { kept } = await scorer.promiseKeptBy(png, kindOfPalette(colours, picture), score)
        expect(kept).toBeGreaterThanOrEqual(target)
      }
    }
    scorer.dispose()
  })
})

describe('a photograph as PNG', () => {
  it('becomes a palette of less than two fifths of its bytes, and nothing is losslessly recompressed besides', async () => {
    const source = await readFile(path.join(PHOTOGRAPHS, 'coffee.png'))
    const picture = await pictureOf(source)
    const scorer = createScorer(picture)
    const candidates = await encodePng({ picture, scorer, target: 80, effort: 'default', source })
    expect(candidates).toHaveLength(1)
    expect(candidates[0]!.data.length).toBeLessThan(0.4 * source.length)
    scorer.dispose()
  })
})
