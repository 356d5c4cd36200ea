import { describe, expect, it } from 'vitest'
import { countWork } from '../../../src/base/counters.ts'
import { createPicture, fromPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { LargeResults } from '../../../src/work/steps/large-results.ts'
import { PixelScorer } from '../../../src/work/steps/pixel-scorer.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { photo } from '../../images.ts'

const area = ({ width, height }: Picture): number => width * height

describe('a large result', () => {
  it('is decoded once for its score and for the guards, which say what they say of any other', async () => {
    const picture = createPicture(photo(300, 200))
    const [large, any] = [new LargeResults(picture, new PixelScorer(picture)), createScorer(picture)]
    const encoded = await fromPicture(picture).jpeg({ quality: 40 }).toBuffer()
    const score = await any.score(encoded)
    const aim = { kind: 'photograph', promise: 80 } as const
    const { result: verdict, work } = await countWork(async () => {
      expect(await large.score(encoded)).toBe(score)
      return large.judge({ encoded, score, aim })
    })
    expect(verdict).toEqual(await any.promiseKeptBy(encoded, 'photograph', score, 80))
    expect(work.decoded).toBe(area(picture))
    const again = await countWork(() => large.judge({ encoded, score, aim: { ...aim, kind: 'block' } }))
    expect(again.work.decoded).toBe(area(picture))
    expect(again.result).toEqual(await any.promiseKeptBy(encoded, 'block', score, 80))
    any.dispose()
  })

  it('is refused for damage below the first band of rows', { timeout: 240_000 }, async () => {
    const [width, height] = [4000, 3600]
    const white = createPicture({ data: Buffer.alloc(width * height * 3, 255), width, height, channels: 3 })
    const data = Buffer.from(white.data)
    for (let y = 3520; y < 3528; y++) data.fill(200, (y * width + 160) * 3, (y * width + 168) * 3)
    const encoded = await fromPicture({ ...white, data })
      .jpeg({ quality: 100 })
      .toBuffer()
    const large = new LargeResults(white, new PixelScorer(white))
    const { kept, refusal } = await large.judge({ encoded, score: 99, aim: { kind: 'block', promise: 80 } })
    expect(kept).toBeLessThan(80)
    expect(refusal!.y).toBeGreaterThan(3500)
    expect(refusal!.y).toBeLessThan(3540)
  })
})
