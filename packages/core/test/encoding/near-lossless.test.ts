import { describe, expect, it } from 'vitest'
import { createNearLossless } from '../../src/encoding/near-lossless.ts'
import type { Samples } from '../../src/encoding/near-lossless.ts'
import { nearLossless } from './near-lossless-definition.ts'

const STEPS = [3, 7.3, 14.2, 40] as const
const CHANNELS = [1, 2, 3, 4] as const

type Draw = (x: number, y: number, channel: number) => number

function draw(width: number, height: number, channels: Samples['channels'], valueAt: Draw): Samples {
  const data = new Uint8Array(width * height * channels)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < channels; channel++) {
        data[(y * width + x) * channels + channel] = Math.min(255, Math.max(0, valueAt(x, y, channel)))
      }
    }
  }
  return { data, width, height, channels }
}

/** Smooth on the left, busy on the right, black and white at the top and bottom; alpha of all kinds. */
const scene = (channels: Samples['channels']): Samples =>
  draw(61, 47, channels, (x, y, channel) => {
    const noise = ((((x * 73 + y * 151 + channel * 37) * 2_654_435_761) >>> 16) % 256) - 128
    if (channels % 2 === 0 && channel === channels - 1) return x < 12 ? 0 : x < 20 ? (x - 12) * 32 : 255
    return 128 + 150 * Math.sin(y / 8 + channel) + 20 * Math.cos(x / 11) + (x > 30 ? noise * ((x - 30) / 60) : 0)
  })

/** Squares of nearly black and nearly white. */
const edges: Draw = (x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? 3 - (x % 3) : 252 + (y % 3))

const mean = (data: Uint8Array): number => data.reduce((sum, value) => sum + value, 0) / data.length

function write(picture: Samples, step: number): Uint8Array {
  const engine = createNearLossless(picture)!
  const written = engine.write(step).slice()
  engine.dispose()
  return written
}

describe.each(CHANNELS)('%i channels', (channels) => {
  it.each(STEPS)('are what the definition says at a step of %f', (step) => {
    expect(write(scene(channels), step)).toEqual(nearLossless(scene(channels), step))
  })

  it('are the same again, whatever was written between', () => {
    const first = write(scene(channels), 11)
    write(scene(3), 30)
    const engine = createNearLossless(scene(channels))!
    engine.write(5)
    expect(engine.write(11)).toEqual(first)
    engine.dispose()
  })
})

describe('near-lossless pixels', () => {
  it.each(STEPS)('never leave the bounds of a byte by wrapping at a step of %f', (step) => {
    const picture = draw(64, 48, 3, edges)
    const written = write(picture, step)
    // Half a step, moved by the rounding towards none, and what the neighbours pass on.
    const most = 0.7 * step + 12 + 1
    for (let at = 0; at < written.length; at++) {
      expect(Math.abs(written[at]! - picture.data[at]!)).toBeLessThanOrEqual(most)
    }
  })

  it.each([2, 4] as const)('keep every alpha, of %i channels', (channels) => {
    const picture = scene(channels)
    const written = write(picture, 40)
    for (let at = channels - 1; at < written.length; at += channels) expect(written[at]).toBe(picture.data[at])
  })

  it('are what is predicted where nothing is seen', () => {
    const picture = draw(20, 20, 4, (x, y, channel) => (channel === 3 ? 0 : (x * 31 + y * 17 + channel) % 256))
    expect(write(picture, 14).every((value) => value === 0)).toBe(true)
  })

  it('are exact in areas of one colour, beside busy ones', () => {
    const picture = draw(60, 40, 3, (x, y, channel) =>
      x < 30 ? [250, 128, 3][channel]! : 120 + ((x * 7 + y * 13 + channel * 5) % 90),
    )
    const written = write(picture, 20)
    for (let y = 3; y < 40; y++) {
      for (let x = 0; x < 26; x++)
        expect([...written.subarray((y * 60 + x) * 3, (y * 60 + x) * 3 + 3)]).toEqual([250, 128, 3])
    }
  })

  it('keep the mean of a gradient', () => {
    const picture = draw(200, 100, 1, (x) => 40 + x / 2)
    expect(Math.abs(mean(write(picture, 14)) - mean(picture.data))).toBeLessThan(1)
  })

  it('are made of a picture of one pixel', () => {
    expect([...write({ data: Uint8Array.of(9, 200, 31), width: 1, height: 1, channels: 3 }, 14)]).toEqual([9, 200, 31])
  })

  it('are none of pictures that would take too much memory', () => {
    expect(createNearLossless({ data: new Uint8Array(), width: 10_000, height: 6000, channels: 3 })).toBeUndefined()
  })
})
