import { describe, expect, it } from 'vitest'
import { clippedBytes, P3_TO_SRGB } from '../../src/colour/clipped-bytes.ts'
import { GAMUT_MODULE } from '../../src/colour/gamut.wasm.ts'
import { encodedTable, lightTable, WHITE } from '../../src/resample/transfer.ts'
import { fixture, randomPixels } from '../quality/metric/distortions.ts'

/** The same, one pixel after the other. */
function plainly(from: Uint8Array, channels: 3 | 4): Buffer {
  const light = lightTable('gamma8')
  const table = encodedTable()
  const [[rr, rg, rb], [gr, gg, gb], [br, bg, bb]] = P3_TO_SRGB
  const sample = (value: number): number => table[value <= 0 ? 0 : value >= WHITE ? WHITE : (value + 0.5) | 0]!
  const to = Buffer.alloc(from.length)
  for (let at = 0; at < from.length; at += channels) {
    if (channels === 4 && from[at + 3] === 0) continue
    const r = light[from[at]!]!
    const g = light[from[at + 1]!]!
    const b = light[from[at + 2]!]!
    to[at] = sample(rr * r + rg * g + rb * b)
    to[at + 1] = sample(gr * r + gg * g + gb * b)
    to[at + 2] = sample(br * r + bg * g + bb * b)
    if (channels === 4) to[at + 3] = from[at + 3]!
  }
  return to
}

const isSame = (from: Uint8Array, channels: 3 | 4): boolean =>
  clippedBytes(from, channels).equals(plainly(from, channels))

describe('clippedBytes', () => {
  it('gives every colour what the plain loop gives it', () => {
    const colours = new Uint8Array(3 * 65_536)
    const differing: number[] = []
    for (let red = 0; red < 256; red++) {
      for (let rest = 0; rest < 65_536; rest++) {
        colours[3 * rest] = red
        colours[3 * rest + 1] = rest >> 8
        colours[3 * rest + 2] = rest & 255
      }
      if (!isSame(colours, 3)) differing.push(red)
    }
    expect(differing).toEqual([])
  })

  it.each([1, 2, 4095, 4096, 4097, 12_288, 16_384, 16_385, 40_000])('takes %i pixels', (pixels) => {
    for (const channels of [3, 4] as const) {
      expect(isSame(randomPixels(pixels, 1, channels, pixels).data, channels)).toBe(true)
    }
  })

  it('makes clear pixels transparent black, and no others', () => {
    const { data } = randomPixels(97, 31, 4, 5)
    for (let at = 3; at < data.length; at += 4) data[at] = [0, 1, 255, 0][(at >> 4) & 3]!
    expect(isSame(data, 4)).toBe(true)
    expect([...clippedBytes(Uint8Array.of(9, 8, 7, 0, 128, 128, 128, 1), 4)]).toEqual([0, 0, 0, 0, 128, 128, 128, 1])
  })

  it('converts real pictures, at any address', async () => {
    for (const name of ['coffee.png', 'docs.png']) {
      const { data } = await fixture(name)
      expect(isSame(data, 3)).toBe(true)
      expect(isSame(data.subarray(1, 3001), 3)).toBe(true)
    }
  })
})

it('is one small module', () => {
  expect(Buffer.from(GAMUT_MODULE, 'base64').length).toBeLessThan(1000)
})
