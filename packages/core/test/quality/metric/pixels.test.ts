import { describe, expect, it } from 'vitest'
import { isTransparent } from '../../../src/quality/metric/pixels.ts'
import { randomPixels } from './distortions.ts'

describe('isTransparent', () => {
  it.each([0, 1])('sees one pixel that is not opaque, at an address of %i', (offset) => {
    const [width, height] = [101, 83]
    const data = new Uint8Array(4 * width * height + offset).subarray(offset)
    data.set(randomPixels(width, height, 4, 1).data)
    for (let at = 3; at < data.length; at += 4) data[at] = 255
    const pixels = { data, width, height, channels: 4 } as const
    expect(isTransparent(pixels)).toBe(false)
    for (const pixel of [0, 1, 4095, 4096, width * height - 1]) {
      for (const alpha of [0, 127, 254]) {
        data[4 * pixel + 3] = alpha
        expect(isTransparent(pixels)).toBe(true)
      }
      data[4 * pixel + 3] = 255
    }
  })

  it('takes pixels of three bytes for opaque', () => {
    expect(isTransparent({ data: new Uint8Array(12), width: 2, height: 2, channels: 3 })).toBe(false)
  })
})
