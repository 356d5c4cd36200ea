import { readdir, readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { chooseCropFrame } from '../../src/crop/crop-frame.ts'
import type { Raster, Rectangle } from '../../src/resample/raster.ts'
import { checks, draw, flat } from '../work/steps/rasters.ts'

const FOLDER = new URL('../fixtures/cutouts/', import.meta.url)
const SHAPES = [
  [1, 1],
  [4, 3],
  [3, 4],
  [16, 9],
  [9, 16],
  [2, 1],
] as const

interface Picture {
  name: string
  raster: Raster
  box: Rectangle
  isPlain: boolean
}

const pictures: Picture[] = []

async function read(pipeline: Sharp): Promise<Raster> {
  const { data, info } = await pipeline.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { encoding: 'gamma8', data, width: info.width, height: info.height, channels: info.channels as 3 | 4 }
}

beforeAll(async () => {
  const boxes = JSON.parse(await readFile(new URL('boxes.json', FOLDER), 'utf8')) as Record<
    string,
    { ground?: string; boxes: [{ x: number; y: number; w: number; h: number }] }
  >
  for (const [
    name,
    {
      ground,
      boxes: [{ x, y, w, h }],
    },
  ] of Object.entries(boxes)) {
    const raster = await read(sharp(await readFile(new URL(name, FOLDER))))
    const isPlain = ground !== 'grey' && ground !== 'noise'
    pictures.push({ name, raster, box: { left: x, top: y, width: w, height: h }, isPlain })
  }
  for (const name of await readdir(new URL('transparent/', FOLDER))) {
    const input = await sharp(await readFile(new URL(`transparent/${name}`, FOLDER)))
      .trim()
      .resize(150)
      .png()
      .toBuffer({ resolveWithObject: true })
    const canvas = sharp({ create: { width: 700, height: 400, channels: 4, background: '#0000' } })
    const raster = await read(canvas.composite([{ input: input.data, left: 30, top: 40 }]))
    const { width, height } = input.info
    pictures.push({ name, raster, box: { left: 30, top: 40, width, height }, isPlain: true })
  }
})

/** Share of a box inside a rectangle. */
function kept(box: Rectangle, cut: Rectangle): number {
  const across = Math.min(box.left + box.width, cut.left + cut.width) - Math.max(box.left, cut.left)
  const down = Math.min(box.top + box.height, cut.top + cut.height) - Math.max(box.top, cut.top)
  return (Math.max(0, across) * Math.max(0, down)) / (box.width * box.height)
}

/** The share of crops that keep the object, among those of which the largest window could. */
function rate(method: 'cover' | 'thumb'): number {
  const shares = pictures.flatMap(({ raster, box }) =>
    SHAPES.flatMap(([across, down]) => {
      const scale = Math.min(raster.width / across, raster.height / down)
      const size = { width: Math.round(across * scale), height: Math.round(down * scale) }
      if (box.width > size.width || box.height > size.height) return []
      return [kept(box, chooseCropFrame([raster], raster, { method, ...size }).cut)]
    }),
  )
  expect(shares.length).toBeGreaterThan(100)
  return shares.filter((share) => share >= 0.98).length / shares.length
}

describe('chooseCropFrame', () => {
  it('keeps the object whole in nearly all crops that can hold it', () => {
    expect(rate('cover')).toBeGreaterThanOrEqual(0.97)
    expect(rate('thumb')).toBeGreaterThanOrEqual(0.97)
  })

  it('gives a thumbnail of a free-standing object exactly the asked size, with the object whole and not enlarged', () => {
    let found = 0
    for (const { name, raster, box, isPlain } of pictures)
      for (const size of [
        { width: 120, height: 120 },
        { width: 2000, height: 300 },
      ]) {
        const frame = chooseCropFrame([raster], raster, { method: 'thumb', ...size })
        expect(frame.placed.width).toBeLessThanOrEqual(frame.cut.width)
        // The shadow of one reaches the border.
        if (!isPlain || name === 'composites/comp-35-white.jpg') continue
        found++
        expect(frame.size).toEqual(size)
        expect(kept(box, frame.cut)).toBeGreaterThanOrEqual(0.98)
      }
    expect(found).toBeGreaterThan(25)
  })

  it('crops as cover does where the background is not plain', () => {
    for (const { raster, isPlain } of pictures.filter((picture) => !picture.isPlain)) {
      const size = { width: 200, height: 200 }
      expect(isPlain).toBe(false)
      expect(chooseCropFrame([raster], raster, { method: 'thumb', ...size })).toEqual(
        chooseCropFrame([raster], raster, { method: 'cover', ...size }),
      )
    }
  })

  it('finds a strange thing among busy ones, and skin', () => {
    const busy = draw(400, 100, (x, y) =>
      x >= 310 && x < 350 && y >= 30 && y < 70 ? [220, 40, 60] : [(x * 37 + y * 11) % 60, 120 + ((x * y) % 50), 40],
    )
    const { cut } = chooseCropFrame([busy], busy, { method: 'cover', width: 100, height: 100 })
    expect(kept({ left: 310, top: 30, width: 40, height: 40 }, cut)).toBe(1)
    const face = draw(400, 100, (x, y) => {
      if (Math.hypot(x - 80, y - 50) < 25) return [224, 172, 135]
      return Math.hypot(x - 320, y - 50) < 25 ? [135, 172, 224] : [120, 120, 120]
    })
    const { cut: window } = chooseCropFrame([face], face, { method: 'cover', width: 100, height: 100 })
    expect(kept({ left: 55, top: 25, width: 50, height: 50 }, window)).toBe(1)
  })

  it('takes the centre of what has nothing to look at', () => {
    const { cut } = chooseCropFrame(
      [flat(300, 100, [9, 9, 9])],
      { width: 300, height: 100 },
      {
        method: 'cover',
        width: 100,
        height: 100,
      },
    )
    expect(cut).toEqual({ left: 100, top: 0, width: 100, height: 100 })
  })

  it('never looks under transparency', () => {
    const hidden = draw(400, 100, (x, y) => {
      if (x < 100) return [(x * 91) % 256, (y * 57) % 256, 40, 0]
      return x >= 300 && x < 340 && y > 20 && y < 80 ? [90, 90, 200, 255] : [128, 128, 128, 0]
    })
    const { cut } = chooseCropFrame([hidden], hidden, { method: 'cover', width: 100, height: 100 })
    expect(kept({ left: 300, top: 21, width: 40, height: 59 }, cut)).toBe(1)
  })

  it('chooses one window for all frames of an animation', () => {
    const frames = [120, 135, 150].map((left) =>
      draw(200, 50, (x, y) => (x >= left && x < left + 12 && y > 15 && y < 35 ? [240, 30, 30] : [60, 70, 60])),
    )
    const { cut } = chooseCropFrame(frames, { width: 800, height: 200 }, { method: 'cover', width: 60, height: 60 })
    expect(cut).toMatchObject({ top: 0, width: 200, height: 200 })
    expect(kept({ left: 480, top: 60, width: 168, height: 80 }, cut)).toBe(1)
  })

  it('handles pictures of one pixel, line and column', () => {
    for (const [width, height] of [
      [1, 1],
      [1, 200],
      [200, 1],
      [3, 2],
    ] as const)
      for (const method of ['cover', 'thumb'] as const) {
        const raster = checks(width, height)
        const { cut, placed, size } = chooseCropFrame([raster], raster, { method, width: 2, height: 5 })
        expect(Math.min(cut.width, cut.height, placed.width, placed.height, size.width)).toBeGreaterThanOrEqual(1)
        expect(cut.left + cut.width).toBeLessThanOrEqual(width)
        expect(cut.top + cut.height).toBeLessThanOrEqual(height)
      }
  })
})
