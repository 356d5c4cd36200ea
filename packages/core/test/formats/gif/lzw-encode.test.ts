import { describe, expect, it } from 'vitest'
import { decodeLzw } from '../../../src/formats/gif/lzw.ts'
import { LzwEncoder } from '../../../src/formats/gif/lzw-encode.ts'
import { randomNumbers } from './gifs.ts'

const PLAIN = { look: 0, trim: 0 }
const encoder = new LzwEncoder()

const encoded = (indices: Uint8Array, minimum: number, effort = PLAIN): Uint8Array =>
  encoder.encode({ first: indices, second: indices, minimum }, effort)!

/** Noise of so many colours, with runs. */
function noise(pixels: number, colours: number, run: number): Uint8Array {
  const random = randomNumbers(pixels + colours + run)
  const indices = new Uint8Array(pixels)
  for (let at = 0; at < pixels;) {
    const end = at + 1 + random(run)
    indices.fill(random(colours), at, end)
    at = end
  }
  return indices
}

describe('LzwEncoder', () => {
  it.each([
    [1, 2, 4, 1],
    [5000, 2, 4, 1],
    [5000, 2, 3, 40],
    [60_000, 4, 16, 3],
    [60_000, 8, 256, 1],
    [60_000, 8, 200, 9],
  ])(
    'gives what a decoder reads: %i pixels, %i bits, %i colours, runs of up to %i',
    (pixels, minimum, colours, run) => {
      const indices = noise(pixels, colours, run)
      for (const effort of [PLAIN, { look: 3, trim: 0 }, { look: 0, trim: 3 }, { look: 8, trim: 3 }]) {
        expect(Buffer.compare(decodeLzw(encoded(indices, minimum, effort), minimum, pixels), indices)).toBe(0)
      }
    },
  )

  it('takes one of two indices for each pixel, and fewer bytes than with either alone', () => {
    const random = noise(20_000, 8, 1)
    // The first half repeats itself in its own colours, the second one only where it is transparent.
    const own = random.map((index, at) => (at < 10_000 ? at % 7 : index))
    const changes = (at: number): boolean => at < 10_000 && random[at]! < 3
    const clear = own.map((index, at) => (changes(at) ? index : 9))
    const data = encoder.encode({ first: clear, second: own, minimum: 4 }, PLAIN)!
    const indices = decodeLzw(data, 4, own.length)
    expect(indices.every((index, at) => index === own[at] || (index === 9 && !changes(at)))).toBe(true)
    expect(data.length).toBeLessThan(Math.min(encoded(own, 4).length, encoded(clear, 4).length))
  })

  it('gives up where it would take too many bytes', () => {
    const first = noise(30_000, 256, 1)
    expect(encoder.encode({ first, second: first, minimum: 8 }, { ...PLAIN, below: 9000 })).toBeUndefined()
  })
})
