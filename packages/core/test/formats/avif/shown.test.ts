import { decodeIndependently, requireTool } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPicture } from '../../../src/encoding/picture.ts'
import { AVIF_AS_SHOWN } from '../../../src/formats/avif/shown.ts'
import { encodeAvif } from '../../../src/formats/avif/encode.ts'
import { createReference } from '../../../src/quality/metric/ssimulacra2.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { graphic, photo } from '../../images.ts'

/**
 * Shows samples in both ways: like decoders that truncate colour differences, and like those that compute with all
 * bits.
 */
const waysToShow = (samples: Uint16Array, channels: 3 | 4) =>
  AVIF_AS_SHOWN.map((show) => show(samples, 10, channels)) as [Buffer, Buffer]

/** Samples of 10 bits as libvips gives them. */
const shifted = (...samples: number[]): Uint16Array => Uint16Array.from(samples, (sample) => sample << 6)

describe('10 bits', () => {
  it('are rounded to the nearest of 8 by one kind of reader', () => {
    const [, precise] = waysToShow(shifted(0, 1, 2, 3, 512, 513, 1021, 1022, 1023), 3)
    expect([...precise]).toEqual([0, 0, 0, 1, 128, 128, 255, 255, 255])
  })

  it('lose what their colour differences have beyond 8 with the other', () => {
    // Y 500, Cb 515 and Cr 515: a difference of 3, which 8 bits have as none.
    const [cut, precise] = waysToShow(shifted(504, 497, 505), 3)
    expect([...precise]).toEqual([126, 124, 126])
    expect([...cut]).toEqual([125, 125, 125])
  })

  it('keep greys and alpha with both', () => {
    for (let level = 0; level < 1024; level++) {
      const [cut, precise] = waysToShow(shifted(level, level, level, level), 4)
      expect(cut[3]).toBe(precise[3])
      for (let at = 0; at < 3; at++) expect(Math.abs(cut[at]! - precise[at]!)).toBeLessThanOrEqual(1)
    }
  })
})

describe('the flat white of an AVIF', () => {
  it('is white with both kinds of readers', async () => {
    const picture = createPicture({ data: Buffer.alloc(48 * 48 * 3, 255), width: 48, height: 48, channels: 3 })
    const scorer = createScorer(picture)
    const [found] = await encodeAvif({ picture, scorer, target: 80, effort: 'fast', source: undefined })
    expect(found!.score).toBe(100)
    scorer.dispose()
  })
})

describe.skipIf(requireTool('avifdec') === undefined)('the score of an AVIF', () => {
  it.each([
    ['a photograph', photo(200, 150), 80],
    ['a photograph', photo(160, 160, 7), 60],
    ['a drawing', graphic(200, 150), 90],
  ])('%s is not below what avifdec shows: %#', async (_, drawn, target) => {
    const picture = createPicture(drawn)
    const { width, height } = picture
    const scorer = createScorer(picture)
    const [found] = await encodeAvif({ picture, scorer, target, effort: 'fast', source: undefined })
    const { score } = await scorer.promiseKeptBy(found!.data, 'block', found!.score)
    scorer.dispose()
    const { pixels } = await decodeIndependently(found!.data)
    const shown = await sharp(pixels, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .raw()
      .toBuffer()
    const reference = createReference(picture)
    expect(reference.score({ ...picture, data: shown })).toBeGreaterThan(score - 0.05)
    reference.dispose()
  })
})
