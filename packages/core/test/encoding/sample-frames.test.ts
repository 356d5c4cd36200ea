import { describe, expect, it } from 'vitest'
import { heldFrames } from '../../src/encoding/frame-source.ts'
import { sampleFrames } from '../../src/encoding/sample-frames.ts'

const [width, height] = [20, 10]
const BYTES = width * height * 4

/** Frames of one level each, which is also the number of hundredths that each is shown. */
const framesOf = (levels: readonly number[]) => ({
  frames: heldFrames({
    data: Buffer.concat(levels.map((level) => Buffer.alloc(BYTES, level))),
    width,
    height,
    count: levels.length,
  }),
  timing: { delays: levels.map((level) => [level, 100] as const), plays: 3 },
})

const levelsOf = ({ data, count }: { data: Buffer; count: number }): number[] =>
  Array.from({ length: count }, (_, at) => data[at * BYTES]!)

describe('the frames that a search looks at', () => {
  it('are all where there are few', async () => {
    const { frames, timing } = framesOf([1, 2, 3, 4, 5, 6])
    expect(await sampleFrames(frames, timing)).toEqual({ source: frames, timing })
  })

  it('are one in eight, the first and the ones after cuts among them, with their own times', async () => {
    const levels = Array.from({ length: 80 }, (_, at) => (at < 33 ? 10 : at < 34 ? 200 : 60) + (at & 1))
    const { frames, timing } = framesOf(levels)
    const sample = await sampleFrames(frames, timing)
    const held = sample.held!
    expect(sample.source.count).toBe(10)
    expect(levelsOf(held)[0]).toBe(10)
    expect(levelsOf(held)).toContain(levels[33])
    expect(sample.timing.delays.map(([shown]) => shown)).toEqual(levelsOf(held))
    expect(sample.timing.plays).toBe(3)
    expect((await sampleFrames(frames, timing)).held).toEqual(held)
  })

  it('are spread where nothing moves', async () => {
    const { frames, timing } = framesOf(Array.from({ length: 64 }, () => 7))
    expect((await sampleFrames(frames, timing)).source.count).toBe(8)
  })
})
