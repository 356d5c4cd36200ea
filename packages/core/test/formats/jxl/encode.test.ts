import { describe, expect, it } from 'vitest'
import { encodeJpegXl, MOST_ENCODED_PIXELS } from '../../../src/formats/jxl/encode.ts'
import type { Candidate } from '../../../src/encoding/request.ts'
import { decodeJxl } from '../../../src/formats/jxl/libjxl.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { ssimulacra2 } from '../../../src/quality/metric/ssimulacra2.ts'
import { cutout, graphic, photo } from '../../images.ts'
import type { Raw } from '../../images.ts'

async function encode(raw: Raw, target: number): Promise<Candidate[]> {
  const picture = createPicture(raw)
  const scorer = createScorer(picture)
  try {
    return await encodeJpegXl({ picture, scorer, target, effort: 'default', source: undefined })
  } finally {
    scorer.dispose()
  }
}

const lossy = (candidates: readonly Candidate[]): Candidate => candidates.find(({ score }) => score < 100)!

async function scoreOf(raw: Raw, data: Uint8Array): Promise<number> {
  const decoded = await decodeJxl(data)
  return ssimulacra2(raw, { ...decoded, channels: 4 })
}

describe('encodeJpegXl', () => {
  it.each([60, 80, 90])('keeps a promise of %d for a photograph, closely', async (target) => {
    const raw = photo()
    const { data, score, type } = lossy(await encode(raw, target))
    expect(type).toBe('image/jxl')
    expect(score).toBeGreaterThanOrEqual(target)
    expect(score).toBeLessThan(target + 2)
    expect(await scoreOf(raw, data)).toBeCloseTo(score, 5)
  })

  it('writes fewer bytes for a lower promise', async () => {
    const [high, low] = [lossy(await encode(photo(), 85)), lossy(await encode(photo(), 60))]
    expect(low.data.length).toBeLessThan(high.data.length)
  })

  it('keeps every pixel of a graphic', async () => {
    const raw = graphic()
    const lossless = (await encode(raw, 80)).find(({ score }) => score === 100)!
    const decoded = await decodeJxl(lossless.data)
    for (let pixel = 0; pixel < raw.width * raw.height; pixel++) {
      const [red, green, blue, alpha] = decoded.data.subarray(pixel * 4)
      expect([red, green, blue, alpha]).toEqual([...raw.data.subarray(pixel * 3, pixel * 3 + 3), 255])
    }
  })

  it('keeps transparency, and forgets the colours under it where it is complete', async () => {
    const raw = cutout()
    const loud: Raw = { ...raw, data: Buffer.from(raw.data) }
    for (let at = 0; at < loud.data.length; at += 4) {
      if (loud.data[at + 3] === 0) loud.data.set([(at * 7) % 256, (at * 13) % 256, (at * 31) % 256], at)
    }
    const target = 99.9
    const [quietly, loudly] = [await encode(raw, target), await encode(loud, target)]
    const lossless = [quietly, loudly].map((candidates) => candidates.find(({ score }) => score === 100)!.data)
    expect(lossless[0]!.length).toBe(lossless[1]!.length)
    const decoded = await decodeJxl(lossless[1]!)
    for (let at = 3; at < loud.data.length; at += 4) expect(decoded.data[at]).toBe(loud.data[at])
  })

  it('has nothing to offer for more pixels than the encoder can hold', async () => {
    const picture = { ...createPicture(photo()), width: MOST_ENCODED_PIXELS + 1, height: 1 }
    const scorer = createScorer(picture)
    expect(await encodeJpegXl({ picture, scorer, target: 80, effort: 'default', source: undefined })).toEqual([])
  })
})
