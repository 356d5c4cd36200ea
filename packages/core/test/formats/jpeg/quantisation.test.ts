import { describe, expect, it } from 'vitest'
import { isOurJpeg, settingOfTable } from '../../../src/formats/jpeg/quantisation.ts'
import { open, photo } from '../../images.ts'

describe('isOurJpeg', () => {
  it.each([5, 8])(
    'knows table %i, which pixpress asks mozjpeg for, at each quality of ours',
    async (quantisationTable) => {
      for (let quality = 2; quality <= 98; quality += 6) {
        const jpeg = await open(photo()).jpeg({ quality, mozjpeg: true, quantisationTable }).toBuffer()
        expect([quality, isOurJpeg(jpeg)]).toEqual([quality, true])
      }
    },
  )

  it('takes nobody for pixpress whose steps are all the same', async () => {
    for (const quality of [1, 100]) {
      expect(isOurJpeg(await open(photo()).jpeg({ quality, quantisationTable: 5 }).toBuffer())).toBe(false)
    }
  })

  it.each([10, 50, 80, 95])('takes no other encoder, mozjpeg neither, for pixpress at quality %i', async (quality) => {
    expect(isOurJpeg(await open(photo()).jpeg({ quality }).toBuffer())).toBe(false)
    expect(isOurJpeg(await open(photo()).jpeg({ quality, mozjpeg: true }).toBuffer())).toBe(false)
  })

  it('takes a file for that of another whose tables stand behind its frame', async () => {
    const ours = await open(photo()).jpeg({ quality: 80, mozjpeg: true, quantisationTable: 8 }).toBuffer()
    const tables = ours.indexOf(Buffer.of(0xff, 0xdb))
    const frame = ours.indexOf(Buffer.of(0xff, 0xc2))
    const end = frame + 2 + ours.readUInt16BE(frame + 2)
    const moved = Buffer.concat([
      ours.subarray(0, tables),
      ours.subarray(frame, end),
      ours.subarray(tables, frame),
      ours.subarray(end),
    ])
    expect([isOurJpeg(ours), isOurJpeg(moved)]).toEqual([true, false])
  })

  it('knows nobody by what has no table', async () => {
    const jpeg = await open(photo()).jpeg({ mozjpeg: true, quantisationTable: 5 }).toBuffer()
    expect(isOurJpeg(jpeg.subarray(0, 30))).toBe(false)
    expect(isOurJpeg(new Uint8Array())).toBe(false)
  })
})

describe('settingOfTable', () => {
  it.each([30, 55, 80, 95])('finds the setting %i of a file with table 5', async (quality) => {
    const jpeg = await open(photo()).jpeg({ quality, mozjpeg: true, quantisationTable: 5 }).toBuffer()
    expect(Math.abs(settingOfTable(jpeg)! - quality)).toBeLessThanOrEqual(1)
  })

  it('knows none of a file without a table', () => {
    expect(settingOfTable(new Uint8Array([0xff, 0xd8, 0xff, 0xd9]))).toBeUndefined()
  })
})
