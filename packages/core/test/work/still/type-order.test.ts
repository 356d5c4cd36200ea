import { expect, it } from 'vitest'
import { createPicture } from '../../../src/encoding/picture.ts'
import { isSmallestAsAvif } from '../../../src/work/still/type-order.ts'

/** Many colours; the share of the rows' pixels that repeat the one before is given. */
function colourful(repeats: number) {
  const data = Buffer.alloc(160 * 160 * 3)
  for (let at = 0; at < 160 * 160; at++) {
    const isRepeated = at % 100 < repeats * 100
    if (isRepeated && at > 0) data.copyWithin(3 * at, 3 * at - 3, 3 * at)
    else data.set([at % 251, (at * 7) % 241, at >> 7], 3 * at)
  }
  return createPicture({ data, width: 160, height: 160, channels: 3 })
}

it('AVIF is not taken for the smallest type of a picture of many colours that repeats pixels, unless it was a JPEG', () => {
  const [photograph, screenshot] = [colourful(0.1), colourful(0.5)]
  expect([photograph.graphic, screenshot.graphic]).toEqual([false, false])
  expect(isSmallestAsAvif(photograph)).toBe(true)
  expect(isSmallestAsAvif(screenshot)).toBe(false)
  expect(isSmallestAsAvif({ ...screenshot, fromJpeg: true })).toBe(true)
})
