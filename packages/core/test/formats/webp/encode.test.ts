import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { encodeWebp } from '../../../src/formats/webp/encode.ts'
import type { Candidate } from '../../../src/encoding/request.ts'
import { isLossyWebp } from '../../../src/formats/webp/lossy.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import { createScorer } from '../../../src/work/scorer.ts'
import { createOptimizer } from '../../../src/optimizer.ts'

const folder = new URL('../../', import.meta.url)
const load = (name: string): Promise<Buffer> => readFile(new URL(name, folder))

async function encode(source: Uint8Array, target: number, isOwn: boolean = false): Promise<Candidate[]> {
  const { data, info } = await sharp(source)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const picture = createPicture({ data, width: info.width, height: info.height, channels: 4 })
  const scorer = createScorer(picture)
  try {
    const request = { picture, scorer, target, effort: 'default' as const, source: isOwn ? source : undefined }
    const candidates = await encodeWebp(request)
    for (const { data: written, score } of candidates) expect(await scorer.score(written)).toBeCloseTo(score, 5)
    return candidates
  } finally {
    scorer.dispose()
  }
}

const isLossless = ({ data }: Candidate): boolean => !isLossyWebp(data)

describe('a drawing', () => {
  it('is written without loss in fewer colours', async () => {
    const candidates = await encode(await load('fixtures/properties/bar-0.png'), 80)
    expect(candidates.every(isLossless)).toBe(true)
    const [exact, few] = candidates
    expect(exact!.score).toBe(100)
    expect(few!.score).toBeGreaterThanOrEqual(80)
    expect(few!.data.length).toBeLessThan(exact!.data.length * 0.7)
  })

  it('keeps the colours that a file of this type has chosen', async () => {
    const own = await sharp(await load('fixtures/properties/bar-0.png'))
      .webp({ lossless: true })
      .toBuffer()
    expect((await encode(own, 80, true)).map(({ score }) => score)).toEqual([100])
  })
})

describe('a photograph', () => {
  it('is not written without loss where lossy keeps the promise', async () => {
    const candidates = await encode(await load('quality/metric/fixtures/coffee.png'), 80)
    expect(candidates.map(isLossless)).toEqual([false])
  })

  it('is written nearly without loss where lossy cannot keep it', async () => {
    const candidates = await encode(await load('quality/metric/fixtures/coffee.png'), 93)
    const kept = candidates.filter(({ score }) => score >= 93)
    const exact = kept.find(({ score }) => score === 100)!
    const near = kept.find(({ score }) => score < 100)!
    expect([exact, near].every(isLossless)).toBe(true)
    expect(near.data.length).toBeLessThan(exact.data.length)
  })
})

it('encodes nothing lossy that would be larger than what is of use', async () => {
  const source = await load('quality/metric/fixtures/coffee.png')
  const { data, info } = await sharp(source).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const picture = createPicture({ data, width: info.width, height: info.height, channels: 3 })
  const scorer = createScorer(picture)
  try {
    const request = { picture, scorer, target: 80, effort: 'default' as const, source: undefined }
    const [found] = await encodeWebp(request)
    const { length } = found!.data
    const [same] = await encodeWebp({ ...request, mostBytes: length * 2 })
    expect(Buffer.compare(same!.data, found!.data)).toBe(0)
    const below = await encodeWebp({ ...request, mostBytes: Math.floor(length / 2) })
    expect(below.filter((each) => isLossyWebp(each.data))).toEqual([])
  } finally {
    scorer.dispose()
  }
})

it.each([
  'bar-0.png',
  'rgb8.png',
  'pal-trns.png',
  'hero-linear-24bit.png',
  'lossless.webp',
  'near-lossless-60.webp',
  'lossy-alpha.webp',
])('a result of %s is left alone by an optimizer that does not know it', async (name) => {
  const optimizer = createOptimizer({ cache: false, concurrency: 1 })
  try {
    const { data } = await optimizer.optimize(await load(`fixtures/properties/${name}`), {
      convert: { type: 'image/webp' },
    })
    const again = await optimizer.optimize(data)
    expect(again.kept).toBe('input')
    expect(Buffer.compare(again.data, data)).toBe(0)
  } finally {
    await optimizer.close()
  }
})
