import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { createNearLossless } from '../../../src/encoding/near-lossless.ts'
import { createQuantiser } from '../../../src/encoding/quantiser.ts'
import { Comparison } from '../../../src/quality/metric/comparison.ts'
import type { Build } from '../../../src/quality/metric/instance.ts'
import type { Pixels } from '../../../src/quality/metric/pixels.ts'
import { areTrialsSampled, sampleShare } from '../../../src/quality/metric/sample-share.ts'
import { createReference } from '../../../src/quality/metric/ssimulacra2.ts'
import { changed, noisy, randomPixels } from './distortions.ts'

const IMAGES = path.join(import.meta.dirname, '../../../../../examples/images')

const PICTURES = ['fig.jpg', 'sunrise.jpg', 'coffee.png', 'dashboard.png', 'hills@2x.png']

const MIB = 2 ** 20

/** Bytes that hold all of an original, a sample of it, and nothing of it. */
const HELD = [
  ['all of', 64 * MIB],
  ['a sample of', 5 * MIB],
  ['nothing of', 0],
] as const

const scoresOf = ([original, distorted]: readonly [Pixels, Pixels], maxBytes: number, build: Build) => {
  const comparison = new Comparison(original, { maxBytes, build, share: 4 })
  try {
    // The sample is scored first and last, so that state left behind by a whole score would show.
    const before = comparison.scoreSample(distorted)
    const { whole, sampled } = comparison.score(distorted)
    return { before, whole, sampled, after: comparison.scoreSample(distorted) }
  } finally {
    comparison.dispose()
  }
}

describe('a sample of rows', () => {
  const original = randomPixels(600, 613, 3, 5)
  const faint = noisy(original)
  const partly = changed(original, [40, 60, 400, 500])
  const clear = randomPixels(300, 341, 4, 9)
  const PAIRS = [
    ['all over', original, faint],
    ['in a part', original, partly],
    ['with transparency', clear, noisy(clear)],
  ] as const

  it.each(PAIRS)('tells the same beside a whole score and alone, of pictures that differ %s', (_, one, other) => {
    for (const build of ['simd', 'plain'] as const) {
      const whole = createReference(one, { build }).score(other)
      const { sampled } = scoresOf([one, other], HELD[0][1], build)
      for (const [held, maxBytes] of HELD) {
        const scores = scoresOf([one, other], maxBytes, build)
        expect(scores, `${build}, with ${held} the original held`).toEqual({
          before: sampled,
          whole,
          sampled,
          after: sampled,
        })
      }
    }
  })

  it('changes no bit of the score that stands beside it', () => {
    const { whole } = scoresOf([original, faint], 64 * MIB, 'simd')
    expect(whole).toBe(createReference(original).score(faint))
    expect(scoresOf([original, original], 64 * MIB, 'simd')).toEqual({
      before: 100,
      whole: 100,
      sampled: 100,
      after: 100,
    })
  })

  it('sees differences in its rows and, at coarser scales, in the others', () => {
    // The first group of four begins at row 32.
    const inside = changed(original, [0, 36, 600, 44])
    const outside = changed(original, [0, 4, 600, 12])
    const [seen, unseen] = [inside, outside].map((each) => scoresOf([original, each], 64 * MIB, 'simd'))
    expect(seen!.sampled).toBeLessThan(seen!.whole)
    expect(unseen!.sampled).toBeGreaterThan(unseen!.whole)
    expect(unseen!.sampled).toBeLessThan(100)
  })

  it('is of large pictures, whose trials are sampled from more pixels on', () => {
    expect([400, 600, 1600].map((width) => sampleShare({ width, height: 400 }))).toEqual([1, 4, 4])
    expect(sampleShare({ width: 4000, height: 200 })).toBe(1)
    expect([1000, 1500].map((width) => areTrialsSampled({ width, height: 1000 }))).toEqual([false, true])
  })
})

async function open(name: string): Promise<Pixels> {
  const { data, info } = await sharp(await readFile(path.join(IMAGES, name)))
    .resize({ width: 1200, withoutEnlargement: true })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}

/** Versions of a picture that searches try, from low to high quality. */
const TRIES: Readonly<Record<string, (original: Pixels) => Promise<Uint8Array[]>>> = {
  jpeg: (original) => encoded(original, [50, 70, 85], (raw, quality) => raw.jpeg({ quality })),
  webp: (original) => encoded(original, [60, 80, 90], (raw, quality) => raw.webp({ quality, effort: 2 })),
  'near-lossless': async (original) => {
    const engine = createNearLossless({ ...original })!
    const written = [22, 14, 8].map((step) => Uint8Array.from(engine.write(step)))
    engine.dispose()
    return written
  },
  palette: async (original) => {
    const quantiser = createQuantiser(original)!
    const painted = [64, 128, 256].map((colours) => Uint8Array.from(quantiser.map(colours, {}).pixels))
    quantiser.dispose()
    return painted
  },
}

function encoded(
  { data, width, height }: Pixels,
  qualities: readonly number[],
  write: (raw: Sharp, quality: number) => Sharp,
): Promise<Uint8Array[]> {
  const pixels = async (quality: number): Promise<Buffer> => {
    const file = await write(sharp(data, { raw: { width, height, channels: 3 } }), quality).toBuffer()
    return sharp(file).removeAlpha().raw().toBuffer()
  }
  return Promise.all(qualities.map(pixels))
}

describe('what a sample tells of the score of real pictures', () => {
  // The measured mean and largest errors are 0.21 and 1.02, 0.07 and 0.35, 0.13 and 0.48, 0.19 and 0.72.
  it.each([
    ['jpeg', { mean: 0.4, worst: 1.5 }],
    ['webp', { mean: 0.2, worst: 0.8 }],
    ['near-lossless', { mean: 0.2, worst: 0.8 }],
    ['palette', { mean: 0.4, worst: 1.5 }],
  ] as const)('as %s is off by little', async (kind, bounds) => {
    const off: number[] = []
    for (const name of PICTURES) {
      const original = await open(name)
      const comparison = new Comparison(original, { maxBytes: 64 * MIB, share: 4 })
      for (const data of await TRIES[kind]!(original)) {
        const { whole, sampled } = comparison.score({ ...original, data })
        off.push(Math.abs(sampled - whole))
      }
      comparison.dispose()
    }
    expect(off.reduce((sum, each) => sum + each, 0) / off.length).toBeLessThan(bounds.mean)
    expect(Math.max(...off)).toBeLessThan(bounds.worst)
  })
})
