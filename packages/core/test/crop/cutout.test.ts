import { describe, expect, it } from 'vitest'
import { findCutout } from '../../src/crop/cutout.ts'
import { draw } from '../work/steps/rasters.ts'

type Pixel = (x: number, y: number) => readonly number[]

/** A red block at 60…99, 40…79 on a background. */
const onBackground =
  (background: Pixel): Pixel =>
  (x, y) =>
    x >= 60 && x < 100 && y >= 40 && y < 80 ? [200, 30, 30, 255].slice(0, background(0, 0).length) : background(x, y)

const find = (pixel: Pixel) => findCutout([draw(200, 150, pixel)])
const box = { left: 60, top: 40, width: 40, height: 40 }

const speck: Pixel = (x, y) => (x === 180 && y === 20 ? [0, 0, 0] : [255, 255, 255])
const lid: Pixel = (x, y) => (x >= 60 && x < 100 && y >= 20 && y < 30 ? [0, 0, 200] : [255, 255, 255])
/** A red block somewhere on a grey background. */
const frame = (left: number, background: number) =>
  draw(100, 80, (x, y) =>
    x >= left && x < left + 20 && y >= 30 && y < 50 ? [200, 0, 0] : [background, background, background],
  )

describe('findCutout', () => {
  it.each<[string, Pixel, unknown]>([
    ['white', () => [255, 255, 255], [255, 255, 255]],
    ['a colour', () => [20, 90, 160], [20, 90, 160]],
    ['a colour in an image with alpha', () => [20, 90, 160, 255], [20, 90, 160]],
    ['what JPEG leaves of a colour', (x, y) => [240 + ((x * 7 + y * 3) % 9), 240, 238], expect.anything()],
    ['nothing', () => [9, 9, 9, 0], 'transparent'],
  ])('finds what stands free on %s', (_, background, found) => {
    expect(find(onBackground(background))).toEqual({ box, background: found })
  })

  it.each<[string, Pixel]>([
    ['a gradient', (_, y) => [225 + y / 7, 225 + y / 7, 225 + y / 7]],
    ['a noisy wall', (x, y) => Array.from({ length: 3 }, () => 170 + (((x * 73) ^ (y * 151)) % 40))],
    ['a shadow across the border', (x) => (x > 70 && x < 110 ? [180, 180, 180] : [255, 255, 255])],
    ['half-transparent colour', () => [255, 255, 255, 128]],
  ])('does not take %s for a plain background', (_, background) => {
    expect(find(onBackground(background))).toBeUndefined()
  })

  it('finds nothing on an empty background, nor where the object is cropped by the edge', () => {
    expect(find(() => [255, 255, 255])).toBeUndefined()
    expect(find((_, y) => (y > 60 ? [200, 30, 30] : [255, 255, 255]))).toBeUndefined()
  })

  it('drops specks, and keeps all parts of an object', () => {
    expect(find(onBackground(speck))?.box).toEqual(box)
    expect(find(onBackground(lid))?.box).toEqual({ left: 60, top: 20, width: 40, height: 60 })
  })

  it('finds where an object moves in an animation, if the background stays', () => {
    expect(findCutout([frame(10, 250), frame(60, 250)])?.box).toEqual({ left: 10, top: 30, width: 70, height: 20 })
    expect(findCutout([frame(10, 250), frame(60, 90)])).toBeUndefined()
  })
})
