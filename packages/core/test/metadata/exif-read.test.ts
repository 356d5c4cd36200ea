import { describe, expect, it } from 'vitest'
import { TAG, TYPE } from '../../src/metadata/exif-format.ts'
import { readExif } from '../../src/metadata/exif-read.ts'

/** A big-endian TIFF structure of one directory with one entry, and 26 bytes behind it at offset 26. */
function tiff(tag: number, type: number, count: number, value: readonly number[], tail = new Uint8Array()): Uint8Array {
  const data = new Uint8Array(26 + tail.length)
  const view = new DataView(data.buffer)
  data.set([0x4d, 0x4d, 0, 42])
  view.setUint32(4, 8)
  view.setUint16(8, 1)
  view.setUint16(10, tag)
  view.setUint16(12, type)
  view.setUint32(14, count)
  data.set(value, 18)
  data.set(tail, 26)
  return data
}

describe('readExif', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('reads orientation %i', (orientation) => {
    expect(readExif(tiff(TAG.orientation, TYPE.short, 1, [0, orientation])).orientation).toBe(orientation)
  })

  it.each([
    ['0', tiff(TAG.orientation, TYPE.short, 1, [0, 0])],
    ['9', tiff(TAG.orientation, TYPE.short, 1, [0, 9])],
    ['65535', tiff(TAG.orientation, TYPE.short, 1, [255, 255])],
    ['a string', tiff(TAG.orientation, TYPE.ascii, 2, [0x36, 0])],
    ['a LONG', tiff(TAG.orientation, TYPE.long, 1, [0, 0, 0, 6])],
    ['two values', tiff(TAG.orientation, TYPE.short, 2, [0, 6, 0, 6])],
    ['a wrong byte order', tiff(TAG.orientation, TYPE.short, 1, [0, 6]).fill(0x58, 0, 2)],
    ['a wrong version', tiff(TAG.orientation, TYPE.short, 1, [0, 6]).fill(43, 3, 4)],
    ['a truncated directory', tiff(TAG.orientation, TYPE.short, 1, [0, 6]).subarray(0, 20)],
  ])('takes %s for orientation 1', (_, data) => {
    expect(readExif(data).orientation).toBe(1)
  })

  it('reads with the prefix and without', () => {
    const data = tiff(TAG.orientation, TYPE.short, 1, [0, 6])
    const prefixed = new Uint8Array([0x45, 0x78, 0x69, 0x66, 0, 0, ...data])
    expect(readExif(prefixed)).toEqual(readExif(data))
  })

  it('reads text in the entry and behind it', () => {
    expect(readExif(tiff(TAG.copyright, TYPE.ascii, 4, [0x41, 0x64, 0x61, 0])).metadata).toEqual({
      copyright: { text: 'Ada' },
    })
    const tail = new TextEncoder().encode('Ada Example\0')
    expect(readExif(tiff(TAG.copyright, TYPE.ascii, 12, [0, 0, 0, 26], tail)).metadata).toEqual({
      copyright: { text: 'Ada Example' },
    })
  })

  it.each([
    ['of 4 G characters', tiff(TAG.copyright, TYPE.ascii, 0xffffffff, [0, 0, 0, 8])],
    ['behind the end', tiff(TAG.copyright, TYPE.ascii, 12, [0, 1, 0, 0])],
    ['of another type', tiff(TAG.copyright, TYPE.long, 1, [0x41, 0x64, 0x61, 0])],
    ['of blanks', tiff(TAG.copyright, TYPE.ascii, 4, [32, 32, 32, 0])],
  ])('takes no text %s', (_, data) => {
    expect(readExif(data).metadata).toEqual({})
  })

  it('does not follow a directory that points to itself', () => {
    for (const tag of [TAG.exifIfd, TAG.gpsIfd]) {
      expect(readExif(tiff(tag, TYPE.long, 1, [0, 0, 0, 8])).metadata).toEqual({})
    }
  })
})
