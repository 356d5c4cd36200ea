import { describe, expect, it } from 'vitest'
import { makerOf } from '../../../src/formats/jpeg/quantisation.ts'
import { open, photo } from '../../images.ts'

describe('makerOf', () => {
  it.each([1, 12, 33, 50, 71, 88, 95, 100])('knows mozjpeg by its table at quality %i', async (quality) => {
    expect(makerOf(await open(photo()).jpeg({ quality, mozjpeg: true }).toBuffer())).toBe('mozjpeg')
  })

  it.each([5, 8])(
    'knows table %i, which pixpress asks mozjpeg for, at each quality of ours',
    async (quantisationTable) => {
      for (let quality = 2; quality <= 98; quality += 6) {
        const jpeg = await open(photo()).jpeg({ quality, mozjpeg: true, quantisationTable }).toBuffer()
        expect([quality, makerOf(jpeg)]).toEqual([quality, 'pixpress'])
      }
    },
  )

  it('takes nobody for pixpress whose steps are all the same', async () => {
    for (const quality of [1, 100]) {
      expect(makerOf(await open(photo()).jpeg({ quality, quantisationTable: 5 }).toBuffer())).not.toBe('pixpress')
    }
  })

  it.each([10, 50, 80, 95])('takes no other encoder for either at quality %i', async (quality) => {
    expect(makerOf(await open(photo()).jpeg({ quality }).toBuffer())).toBe('other')
  })

  it('knows nobody by what has no table', async () => {
    const jpeg = await open(photo()).jpeg({ mozjpeg: true }).toBuffer()
    expect(makerOf(jpeg.subarray(0, 30))).toBe('other')
    expect(makerOf(new Uint8Array())).toBe('other')
  })
})
