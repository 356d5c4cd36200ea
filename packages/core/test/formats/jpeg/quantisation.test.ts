import { describe, expect, it } from 'vitest'
import { isFromMozjpeg } from '../../../src/formats/jpeg/quantisation.ts'
import { open, photo } from '../../images.ts'

describe('isFromMozjpeg', () => {
  it.each([1, 12, 33, 50, 71, 88, 95, 100])('knows it by its table at quality %i', async (quality) => {
    expect(isFromMozjpeg(await open(photo()).jpeg({ quality, mozjpeg: true }).toBuffer())).toBe(true)
  })

  it.each([5, 8])('knows its table %i, which pixpress asks it for', async (quantisationTable) => {
    for (const quality of [1, 12, 33, 50, 71, 75, 88, 95]) {
      const jpeg = await open(photo()).jpeg({ quality, mozjpeg: true, quantisationTable }).toBuffer()
      expect([quality, isFromMozjpeg(jpeg)]).toEqual([quality, true])
    }
  })

  it.each([10, 50, 80, 95])('does not take another encoder for it at quality %i', async (quality) => {
    expect(isFromMozjpeg(await open(photo()).jpeg({ quality }).toBuffer())).toBe(false)
  })

  it('says no of what has no table', async () => {
    const jpeg = await open(photo()).jpeg({ mozjpeg: true }).toBuffer()
    expect(isFromMozjpeg(jpeg.subarray(0, 30))).toBe(false)
    expect(isFromMozjpeg(new Uint8Array())).toBe(false)
  })
})
