import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { copyFrames } from '../../src/encoding/frame-source.ts'
import { openIndexedFrames } from '../../src/encoding/indexed-frames.ts'
import { clearTransparency } from '../../src/encoding/picture.ts'

const [width, height, count] = [33, 20, 3]

describe('openIndexedFrames', () => {
  it.each([2, 4, 16, 100, 256])('shows a PNG of %i colours as sharp decodes it', async (colours) => {
    const pixels = Buffer.alloc(width * height * count * 4)
    for (let at = 0; at < pixels.length; at += 4) {
      const colour = (at >> 2) % colours
      // Half of the colours are clear, or in between.
      pixels.set([colour * 2, 255 - colour, (colour * 7) & 255, colour % 2 === 0 ? 255 : colour & 254], at)
    }
    const raw = { width, height: height * count, channels: 4 as const }
    const png = await sharp(pixels, { raw }).png({ palette: true, colours, dither: 0 }).toBuffer()
    expect(png[25]).toBe(3)
    const frames = await openIndexedFrames(png, { width, height, count })
    const decoded = await sharp(png).ensureAlpha().raw().toBuffer()
    expect((await copyFrames(frames)).data.equals(clearTransparency(decoded))).toBe(true)
  })

  it('shows a PNG of truecolour, which is what a libvips without a quantiser writes', async () => {
    const pixels = Buffer.alloc(width * height * count * 4, 77)
    const png = await sharp(pixels, { raw: { width, height: height * count, channels: 4 } })
      .png()
      .toBuffer()
    const frames = await openIndexedFrames(png, { width, height, count })
    expect((await copyFrames(frames)).data.equals(pixels)).toBe(true)
  })
})
