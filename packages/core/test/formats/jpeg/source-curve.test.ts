import { describe, expect, it } from 'vitest'
import { typicalScore } from '../../../src/encoding/search.ts'
import { COARSE, curveOf, FINE } from '../../../src/formats/jpeg/coding.ts'
import { curveFrom } from '../../../src/formats/jpeg/source-curve.ts'
import { optimize } from '../../../src/index.ts'
import { open, photo } from '../../images.ts'

const HALVED = { chroma: '4:2:0', table: COARSE } as const

const jpegOf = (quality: number): Promise<Buffer> => open(photo()).jpeg({ quality }).toBuffer()

describe('the curve of a JPEG', () => {
  it('reaches a score of 80 below the setting of the source, the lower the more it was compressed', async () => {
    const starts: number[] = []
    for (const quality of [50, 60, 70, 80]) {
      const curve = curveFrom({ source: await jpegOf(quality), target: 80 }, HALVED)
      starts.push(curve.find(([, score]) => score >= 80)![0])
    }
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(new Set(starts).size).toBe(4)
    expect(starts.at(-1)).toBeLessThan(curveOf(HALVED).find(([, score]) => score >= 80)![0])
  })

  it('rises with every setting, steeply below the setting of the source and less above it', async () => {
    const curve = curveFrom({ source: await jpegOf(60), target: 80 }, HALVED)
    const scores = curve.map(([, score]) => score)
    for (const [at, score] of scores.slice(1).entries()) expect(score).toBeGreaterThan(scores[at]!)
    expect(typicalScore(curve, 50) - typicalScore(curve, 40)).toBeGreaterThan(
      typicalScore(curve, 95) - typicalScore(curve, 85),
    )
  })

  it('is the usual one without a source, for one that was hardly compressed, and for the finer table', async () => {
    expect(curveFrom({ source: undefined, target: 80 }, HALVED)).toBe(curveOf(HALVED))
    expect(curveFrom({ source: await jpegOf(95), target: 80 }, HALVED)).toBe(curveOf(HALVED))
    expect(curveFrom({ source: new Uint8Array([0xff, 0xd8]), target: 80 }, HALVED)).toBe(curveOf(HALVED))
    const fine = { chroma: '4:2:0', table: FINE } as const
    expect(curveFrom({ source: await jpegOf(60), target: 80 }, fine)).toBe(curveOf(fine))
  })

  it.each([20, 60, 95])('is the usual one for a score of %i, where it saves nothing', async (target) => {
    expect(curveFrom({ source: await jpegOf(60), target }, HALVED)).toBe(curveOf(HALVED))
  })

  it('saves a search of a compressed photograph three of ten encodes', async () => {
    const source = await jpegOf(72)
    const { work } = await optimize(source)
    expect(work?.encodes['image/jpeg']).toBeLessThanOrEqual(7)
  })
})
