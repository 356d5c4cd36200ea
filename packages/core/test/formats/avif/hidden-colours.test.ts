import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { withHiddenColours } from '../../../src/formats/avif/hidden-colours.ts'

/** Noise under transparency, and one colour in a disc, half of which is half transparent. */
function cutOut(width: number, height: number): Picture {
  const data = Buffer.alloc(width * height * 4)
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    const isSeen = Math.hypot(x - width / 2, y - height / 2) < height / 3
    const noise = (at * 7919) % 256
    data.set(isSeen ? [200, 120, 40, x < width / 2 ? 128 : 255] : [noise, 255 - noise, noise, 0], 4 * at)
  }
  return createPicture({ data, width, height, channels: 4 })
}

/** Encodes the colours of 64 × 64 pixels and returns the number of bytes. */
async function encode(data: Buffer): Promise<number> {
  const opened = sharp(data, { raw: { width: 64, height: 64, channels: 4 } }).removeAlpha()
  return (await opened.avif({ effort: 1 }).toBuffer()).length
}

describe('colours under transparency', () => {
  it.each([
    [64, 64],
    [37, 51],
  ])('go on from those that are seen, at %i × %i pixels', (width, height) => {
    const picture = cutOut(width, height)
    const shown = withHiddenColours(picture)
    for (let at = 0; at < shown.length; at += 4) expect([...shown.subarray(at, at + 4)]).toEqual([200, 120, 40, 255])
    expect(picture.data[3]).toBe(0)
  })

  it('leave what is seen as it is, and weigh it by its alpha', () => {
    const data = Buffer.from(
      [
        [100, 0, 0, 255],
        [0, 0, 200, 85],
        [9, 9, 9, 0],
        [9, 9, 9, 0],
      ].flat(),
    )
    const shown = withHiddenColours(createPicture({ data, width: 2, height: 2, channels: 4 }))
    expect([...shown]).toEqual(
      [
        [100, 0, 0, 255],
        [0, 0, 200, 255],
        [75, 0, 50, 255],
        [75, 0, 50, 255],
      ].flat(),
    )
  })

  it('are black where nothing is seen', () => {
    const data = Buffer.alloc(4 * 9, 77)
    for (let at = 3; at < data.length; at += 4) data[at] = 0
    const shown = withHiddenColours(createPicture({ data, width: 3, height: 3, channels: 4 }))
    expect([...shown.subarray(0, 4)]).toEqual([0, 0, 0, 255])
  })

  it('take fewer bytes than noise', async () => {
    const picture = cutOut(64, 64)
    expect(await encode(withHiddenColours(picture))).toBeLessThan(0.5 * (await encode(picture.data)))
  })
})
