import sharp from 'sharp'
import type { ResizeOptions as SharpResize } from 'sharp'
import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { optimize } from '../../src/index.ts'
import { resolveOperations } from '../../src/operations/index.ts'
import { placedFrame } from '../../src/crop/placed-frame.ts'
import { animation, graphic, open } from '../images.ts'
import type { ResizeOptions } from '../../src/operations/resize.ts'

const source = open(graphic(80, 60)).png().toBuffer()

async function made(resize: ResizeOptions, from?: Buffer): Promise<{ data: Buffer; width: number; height: number }> {
  const { data } = await optimize(from ?? (await source), { resize, lossless: true })
  const { data: pixels, info } = await sharp(data).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { data: pixels, width: info.width, height: info.height }
}

/** Mean difference from what sharp makes. */
async function farFromSharp(resize: ResizeOptions, call: SharpResize): Promise<number> {
  const one = await made(resize)
  const { data, info } = await sharp(await source)
    .resize(call)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([one.width, one.height]).toEqual([info.width, info.height])
  return one.data.reduce((sum, sample, at) => sum + Math.abs(sample - data[at]!), 0) / data.length
}

describe('placedFrame', () => {
  const size = { width: 40, height: 40 }

  it.each([
    [
      { method: 'cover', position: 'left top' },
      { fit: 'cover', position: 'left top' },
    ],
    [
      { method: 'cover', position: 'east' },
      { fit: 'cover', position: 'east' },
    ],
    [
      { method: 'cover', position: 'attention' },
      { fit: 'cover', position: 'attention' },
    ],
    [
      { method: 'cover', position: 'entropy' },
      { fit: 'cover', position: 'entropy' },
    ],
    [
      { method: 'contain', background: 'red' },
      { fit: 'contain', background: 'red' },
    ],
    [
      { method: 'contain', background: 'red', position: 'bottom' },
      { fit: 'contain', background: 'red', position: 'bottom' },
    ],
    [{ method: 'fill' }, { fit: 'fill' }],
  ] as const)('%j shows what sharp shows', async (resize, call) => {
    expect(await farFromSharp({ ...resize, ...size }, { ...size, ...call })).toBeLessThan(4)
  })

  it.each([
    [
      { method: 'fill', kernel: 'nearest' },
      { fit: 'fill', kernel: 'nearest' },
    ],
    [
      { method: 'cover', position: 'center', kernel: 'mitchell', width: 30, height: 30 },
      { kernel: 'mitchell', width: 30, height: 30 },
    ],
    [
      { method: 'fill', enlarge: true, width: 160, height: 120 },
      { width: 160, height: 120 },
    ],
    [
      { method: 'fill', enlarge: true, kernel: 'nearest', width: 160, height: 120 },
      { width: 160, height: 120, kernel: 'nearest' },
    ],
  ] as const)("%j has the pixels of sharp's kernel", async (resize, call) => {
    expect(await farFromSharp({ ...size, ...resize }, { ...size, ...call })).toBeLessThan(0.6)
  })

  it.each([
    [{ method: 'scale', width: 200, enlarge: true }, 200, 150],
    [{ method: 'fit', width: 200, height: 90, enlarge: true }, 120, 90],
    [{ method: 'cover', width: 200, height: 90, enlarge: true }, 200, 90],
    [{ method: 'scale', width: 40, reduce: false }, 80, 60],
    [{ method: 'cover', aspect: 1 }, 60, 60],
    [{ method: 'cover', aspect: '16:9' }, 80, 45],
    [{ method: 'cover', aspect: '2:1', width: 50 }, 50, 25],
    [{ method: 'contain', aspect: '1:2', height: 40 }, 20, 40],
    [{ method: 'contain', width: 100, height: 100 }, 100, 100],
    [{ method: 'fill', width: 100, height: 30 }, 80, 30],
  ] as const)('%j is %i × %i', async (resize, width, height) => {
    expect(await made(resize)).toMatchObject({ width, height })
  })

  it('centres the window on a point, as far as the picture reaches', () => {
    const lefts = [0, 0.3, 0.5, 0.6, 1].map((x) => {
      const { resize } = resolveOperations({ resize: { method: 'cover', ...size, position: [x, 0.5] } })
      return placedFrame({ width: 80, height: 40 }, resize!).cut.left
    })
    expect(lefts).toEqual([0, 4, 20, 28, 40])
  })

  it('pads a transparent colour, and frames', async () => {
    const { data } = await made({ method: 'contain', ...size, background: '#ff000080' })
    expect([...data.subarray(0, 4)]).toEqual([255, 0, 0, 128])
    const frames = await animation('gif')
    const { info } = await optimize(frames, { resize: { method: 'contain', width: 30, height: 50, background: 'red' } })
    expect(info).toMatchObject({ width: 30, height: 50 })
    await expect(
      optimize(frames, { resize: { method: 'cover', width: 9, height: 5, position: 'entropy' } }),
    ).rejects.toThrow(failure('UNSUPPORTED_OPERATION', "'entropy'"))
  })

  it('keeps within the limit of pixels', async () => {
    const resize = { method: 'fill', width: 30_000, height: 30_000, enlarge: true } as const
    await expect(optimize(await source, { resize })).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' })
  })
})
