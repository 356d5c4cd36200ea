import { describe, expect, it } from 'vitest'
import { countWork } from '../../src/base/counters.ts'
import { heldFrames } from '../../src/encoding/frame-source.ts'
import { areAlike, judgeFrames, worstFrame } from '../../src/encoding/worst-frame.ts'

const [width, height] = [32, 32]
const BYTES = width * height * 4

/** Frames of grey stripes, each with some of its pixels darker. */
function frames(darker: readonly number[]) {
  const data = Buffer.alloc(BYTES * darker.length, 255)
  for (const [index, pixels] of darker.entries()) {
    for (let at = 0; at < width * height; at++) {
      const level = (at % 8 < 4 ? 200 : 120) - (at < pixels ? 40 : 0)
      data.fill(level, index * BYTES + at * 4, index * BYTES + at * 4 + 3)
    }
  }
  return heldFrames({ data, width, height, count: darker.length })
}

const PLAIN = frames([0, 0, 0, 0, 0])

describe('the judgement on an animation', () => {
  it('is that on its worst frame, and frames that are the same are not scored', async () => {
    const { result, work } = await countWork(() => worstFrame(PLAIN, frames([0, 40, 0, 300, 0])))
    expect(work.scores).toBe(2)
    expect(result).toBe(await worstFrame(frames([0]), frames([300])))
    expect(result).toBeLessThan(await worstFrame(frames([0]), frames([40])))
    expect(await worstFrame(PLAIN, frames([0, 0, 0, 0, 0]))).toBe(100)
  })

  it('holds frames to the guards until it is enough, and only where all have the score', async () => {
    const damaged = frames([0, 300, 300, 300, 300])
    // Frames as small as these are scored once more by the guards, at twice their size.
    const judged = (target: number, enough?: number) =>
      countWork(() => judgeFrames(PLAIN, damaged, { kind: 'block', target, ...(enough !== undefined && { enough }) }))
    const [all, some, none] = [await judged(-100), await judged(-100, 99), await judged(99)]
    expect([all, some, none].map(({ work }) => work.scores)).toEqual([8, 5, 4])
    expect(all.result.score).toBe(await worstFrame(PLAIN, damaged))
    expect(none.result.score).toBe(all.result.score)
    expect(all.result.kept).toBeLessThan(99)
  })

  it('is below every score where frames are missing or have another size', async () => {
    expect(await worstFrame(PLAIN, frames([0, 0]))).toBe(-Infinity)
    expect(await worstFrame(PLAIN, { ...frames([0, 0, 0, 0, 0]), width: 31 })).toBe(-Infinity)
  })
})

describe('areAlike', () => {
  it('tells whether every pixel is the same', async () => {
    expect(await areAlike(PLAIN, frames([0, 0, 0, 0, 0]))).toBe(true)
    expect(await areAlike(PLAIN, frames([0, 0, 0, 0, 1]))).toBe(false)
    expect(await areAlike(PLAIN, frames([0, 0, 0, 0]))).toBe(false)
  })
})
