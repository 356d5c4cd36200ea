import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { resizedSize, rotatedSize } from '../../src/resample/size.ts'
import type { ResolvedResize } from '../../src/base/resize.ts'

describe('resizedSize', () => {
  it.each<[string, [number, number], ResolvedResize | null, [number, number]]>([
    ['nothing asked', [300, 200], null, [300, 200]],
    ['scale by width', [300, 200], { method: 'scale', width: 150 }, [150, 100]],
    ['scale by height', [300, 200], { method: 'scale', height: 50 }, [75, 50]],
    ['scale never up', [300, 200], { method: 'scale', width: 900 }, [300, 200]],
    ['scale meets the asked side exactly', [1001, 333], { method: 'scale', width: 500 }, [500, 166]],
    ['a side never vanishes', [1000, 2], { method: 'scale', width: 10 }, [10, 1]],
    ['fit inside a wide box', [300, 200], { method: 'fit', width: 300, height: 100 }, [150, 100]],
    ['fit inside a tall box', [300, 200], { method: 'fit', width: 100, height: 300 }, [100, 67]],
    ['fit never up', [300, 200], { method: 'fit', width: 1000, height: 1000 }, [300, 200]],
    ['fit where one side is larger', [300, 200], { method: 'fit', width: 600, height: 100 }, [150, 100]],
    ['cover is exact', [300, 200], { method: 'cover', width: 100, height: 100 }, [100, 100]],
    [
      'cover beyond the source keeps the aspect ratio',
      [300, 200],
      { method: 'cover', width: 400, height: 400 },
      [200, 200],
    ],
    ['cover beyond the source in one side', [300, 200], { method: 'cover', width: 600, height: 100 }, [300, 50]],
    ['thumb as cover', [300, 200], { method: 'thumb', width: 50, height: 80 }, [50, 80]],
  ])('%s', (_, [width, height], resize, [toWidth, toHeight]) => {
    expect(resizedSize({ width, height }, resize)).toEqual({ width: toWidth, height: toHeight })
  })

  it('never exceeds the source nor vanishes', () => {
    for (let width = 1; width < 60; width += 7) {
      for (let height = 1; height < 60; height += 7) {
        for (const resize of [
          { method: 'scale', width: 13 },
          { method: 'scale', height: 13 },
          { method: 'fit', width: 13, height: 29 },
          { method: 'cover', width: 29, height: 13 },
        ] satisfies ResolvedResize[]) {
          const size = resizedSize({ width, height }, resize)
          expect(size.width).toBeGreaterThanOrEqual(1)
          expect(size.height).toBeGreaterThanOrEqual(1)
          expect(size.width).toBeLessThanOrEqual(width)
          expect(size.height).toBeLessThanOrEqual(height)
        }
      }
    }
  })
})

describe('rotatedSize', () => {
  it.each([
    [40, 13, 10],
    [33, 21, 7],
    [33, 21, 255],
    [17, 29, 345],
    [30, 20, 90],
    [30, 20, 180],
  ])('of %i × %i by %i degrees is that of libvips', async (width, height, degrees) => {
    const image = sharp({ create: { width, height, channels: 3, background: 'white' } })
    const { info } = await image.rotate(degrees).raw().toBuffer({ resolveWithObject: true })
    expect(rotatedSize({ width, height }, degrees)).toEqual({ width: info.width, height: info.height })
  })
})
