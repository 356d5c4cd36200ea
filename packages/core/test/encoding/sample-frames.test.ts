import { describe, expect, it } from 'vitest'
import { sampleFrames } from '../../src/encoding/sample-frames.ts'

const [width, height] = [20, 10]
const BYTES = width * height * 4

/** Frames of one level each, which is also the number of hundredths that each is shown. */
const framesOf = (levels: readonly number[]) => ({
  frames: {
    data: Buffer.concat(levels.map((level) => Buffer.alloc(BYTES, level))),
    width,
    height,
    count: levels.length,
  },
  timing: { delays: levels.map((level) => [level, 100] as const), plays: 3 },
})

const levelsOf = ({ data, count }: { data: Buffer; count: number }): number[] =>
  Array.from({ length: count }, (_, at) => data[at * BYTES]!)

describe('the frames that a search looks at', () => {
  it('are all where there are few', () => {
    const { frames, timing } = framesOf([1, 2, 3, 4, 5, 6])
    expect(sampleFrames(frames, timing)).toEqual({ frames, timing })
  })

  it('are one in eight, the first and the ones after cuts among them, with their own times', () => {
    const levels = Array.from({ length: 80 }, (_, at) => (at < 33 ? 10 : at < 34 ? 200 : 60) + (at & 1))
    const { frames, timing } = framesOf(levels)
    const sample = sampleFrames(frames, timing)
    expect(sample.frames.count).toBe(10)
    expect(levelsOf(sample.frames)[0]).toBe(10)
    expect(levelsOf(sample.frames)).toContain(levels[33])
    expect(sample.timing.delays.map(([shown]) => shown)).toEqual(levelsOf(sample.frames))
    expect(sample.timing.plays).toBe(3)
    expect(sampleFrames(frames, timing)).toEqual(sample)
  })

  it('are spread where nothing moves', () => {
    const { frames, timing } = framesOf(Array.from({ length: 64 }, () => 7))
    expect(sampleFrames(frames, timing).frames.count).toBe(8)
  })
})
