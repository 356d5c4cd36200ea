import { describe, expect, it } from 'vitest'
import { readExif } from '../../src/metadata/exif-read.ts'
import { buildExif } from '../../src/metadata/exif-write.ts'
import type { ExifItems } from '../../src/metadata/exif-write.ts'
import { buildPhotoshop } from '../../src/metadata/photoshop.ts'
import type { GeoLocation } from '../../src/metadata/types.ts'

const LOCATION: GeoLocation = {
  latitudeRef: 'S',
  latitude: [[0xffffffff, 1_000_000], [0, 1], [0, 0]],
  longitudeRef: 'W',
  longitude: [[1, 3], [1, 7], [1, 11]],
} // prettier-ignore

const through = (creation: string): string | undefined =>
  readExif(buildExif({ creation }) ?? new Uint8Array()).metadata.creation

describe('buildExif', () => {
  const items: Required<Omit<ExifItems, 'shownAt'>> = {
    orientation: 6,
    copyrightText: 'Ada ☕',
    imageResources: buildPhotoshop({ flagged: true, url: 'https://example.com/' })!,
    creation: '2021:07:04 18:30:15',
    location: LOCATION,
  }
  const keys = Object.keys(items) as (keyof typeof items)[]
  const subsets = Array.from({ length: 31 }, (_, i) => keys.filter((_key, bit) => ((i + 1) >> bit) & 1))

  it.each(subsets.map((subset) => [subset.join(', '), subset] as const))(
    'writes what readExif reads: %s',
    (_, subset) => {
      const chosen: ExifItems = Object.fromEntries(subset.map((key) => [key, items[key]]))
      const { orientation = 1, copyrightText, imageResources, creation, location } = chosen
      expect(readExif(buildExif(chosen) ?? new Uint8Array())).toEqual({
        orientation,
        metadata: {
          ...((copyrightText ?? imageResources) !== undefined && {
            copyright: {
              ...(copyrightText !== undefined && { text: copyrightText }),
              ...(imageResources !== undefined && { flagged: true, url: 'https://example.com/' }),
            },
          }),
          ...(creation !== undefined && { creation }),
          ...(location !== undefined && { location }),
        },
      })
    },
  )

  it('writes texts of every length, which are inside the entry up to 3 bytes', () => {
    for (const text of ['a', 'ab', 'abc', 'abcd', 'abcde']) {
      const block = buildExif({ copyrightText: text })
      expect(readExif(block ?? new Uint8Array()).metadata.copyright?.text).toBe(text)
      expect(block).toHaveLength(text.length <= 3 ? 26 : 27 + text.length)
    }
  })

  it('drops a zone and blanks an unknown time', () => {
    expect(through('2021:07:04 18:30:15+02:00')).toBe('2021:07:04 18:30:15')
    expect(through('2021:07:04')).toBe('2021:07:04')
  })

  it('writes nothing when there is nothing', () => {
    expect(buildExif({})).toBeUndefined()
    expect(buildExif({ orientation: 1 })).toBeUndefined()
  })
})
