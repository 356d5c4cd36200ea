import { isDeepStrictEqual } from 'node:util'
import { load } from 'exifreader'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  readMetadata,
  readOrientation,
  selectMetadata,
  stripMetadata,
  writeMetadata,
} from '../../../src/work/steps/metadata.ts'
import type { GeoLocation, Metadata } from '../../../src/work/steps/metadata.ts'
import type { ImageType } from '../../../src/base/types.ts'
import { IMAGE_TYPES, INPUT_TYPES } from '../../../src/base/formats.ts'
import { fixture, typeOf } from '../../metadata/fixture.ts'

const NOTICE = '(c) 2026 Ada Example, all rights reserved'
const PAGE = 'https://example.com/licence'
const LOCATION: GeoLocation = {
  latitudeRef: 'N',
  latitude: [[48, 1], [51, 1], [3024, 100]],
  longitudeRef: 'E',
  longitude: [[2, 1], [17, 1], [402, 10]],
} // prettier-ignore
const EVERYTHING: Metadata = {
  copyright: {
    text: '© 2026 Ada Exämple & Co <all rights reserved>',
    flagged: true,
    url: 'https://example.com/?a=1&b="2"',
  },
  creation: '2021:07:04 18:30:15',
  location: LOCATION,
}

/** Newly encoded images without metadata: minimal ones, and those that containers treat differently. */
const fresh = new Map<string, { type: ImageType; data: Uint8Array }>()

const noise = (channels: 3 | 4): Sharp =>
  sharp(Buffer.from(Array.from({ length: 33 * 17 * channels }, (_, i) => (i * 37 + (i >> 4)) % 251)), {
    raw: { width: 33, height: 17, channels },
  })

const add = async (name: string, type: ImageType, pipeline: Sharp): Promise<void> => {
  fresh.set(name, { type, data: new Uint8Array(await pipeline.toBuffer()) })
}

beforeAll(async () => {
  const frames = sharp([await noise(4).png().toBuffer(), await noise(3).png().toBuffer()], {
    join: { animated: true },
  })
  await Promise.all([
    add('JPEG', 'image/jpeg', noise(3).jpeg({ mozjpeg: true })),
    add('PNG', 'image/png', noise(3).png()),
    add('PNG with alpha', 'image/png', noise(4).png({ palette: true })),
    add('WebP', 'image/webp', noise(3).webp()),
    add('WebP with alpha', 'image/webp', noise(4).webp()),
    add('lossless WebP', 'image/webp', noise(3).webp({ lossless: true })),
    add('lossless WebP with alpha', 'image/webp', noise(4).webp({ lossless: true })),
    add('animated WebP', 'image/webp', frames.webp()),
    add('AVIF', 'image/avif', noise(3).avif({ effort: 0 })),
    add('AVIF with alpha', 'image/avif', noise(4).avif({ effort: 0 })),
  ])
})

const NAMES = [
  'JPEG',
  'PNG',
  'PNG with alpha',
  'WebP',
  'WebP with alpha',
  'lossless WebP',
  'lossless WebP with alpha',
  'animated WebP',
  'AVIF',
  'AVIF with alpha',
] as const

function image(name: string): { type: ImageType; data: Uint8Array } {
  const found = fresh.get(name)
  if (found === undefined) throw new Error(`No image ${name}`)
  return found
}

/** Returns the metadata that a type can hold. PNG has no location in the interface. */
function carried(metadata: Metadata, type: ImageType): Metadata {
  return type === 'image/png' ? selectMetadata(metadata, ['copyright', 'creation']) : metadata
}

const pixelsOf = (data: Uint8Array): Promise<Buffer> => sharp(data, { animated: true }).ensureAlpha().raw().toBuffer()

describe('readMetadata', () => {
  it.each(['all.jpg', 'all.webp', 'all.avif', 'all.jxl'])('finds what ExifTool wrote into %s', (name) => {
    const metadata = readMetadata(fixture(name), typeOf(name))
    expect(metadata).toMatchObject({
      copyright: { text: NOTICE, flagged: true, url: PAGE },
      creation: '2021:07:04 18:30:15',
      location: { latitudeRef: 'N', longitudeRef: 'E' },
    })
    expect(degrees(metadata.location?.latitude)).toBeCloseTo(48.8584, 6)
    expect(degrees(metadata.location?.longitude)).toBeCloseTo(2.2945, 6)
  })

  it('finds copyright and creation in PNG, but no location', () => {
    expect(readMetadata(fixture('all.png'), 'image/png')).toEqual({
      copyright: { text: NOTICE, flagged: true, url: PAGE },
      creation: '2021:07:04 18:30:15',
    })
  })

  it('reads PNG text chunks', () => {
    expect(readMetadata(fixture('text-chunks.png'), 'image/png')).toEqual({
      copyright: { text: '(c) 2026 Ada Example' },
      creation: '2021:07:04 18:30:15+02:00',
    })
  })

  it('reads Photoshop resources on their own', () => {
    expect(readMetadata(fixture('irb-only.jpg'), 'image/jpeg')).toEqual({ copyright: { flagged: true, url: PAGE } })
  })

  it('reads XMP in GIF', () => {
    expect(readMetadata(fixture('gif-comment-xmp.gif'), 'image/gif')).toEqual({
      copyright: { text: '(c) Ada Example' },
    })
  })

  it('reads only a location where only that is', () => {
    expect(Object.keys(readMetadata(fixture('gps-only.jpg'), 'image/jpeg'))).toEqual(['location'])
  })

  it.each(NAMES)('finds nothing in a fresh %s', (name) => {
    const { type, data } = image(name)
    expect(readMetadata(data, type)).toEqual({})
  })

  it.each(INPUT_TYPES)('finds nothing in bytes that are no %s', (type) => {
    for (const data of [new Uint8Array(), new Uint8Array(64), new Uint8Array(64).fill(255)]) {
      expect(readMetadata(data, type)).toEqual({})
      expect(readOrientation(data, type)).toBe(1)
      expect(stripMetadata(data, type)).toBe(data)
    }
  })
})

describe('readMetadata of hostile files', () => {
  it.each([
    'exif-ifd-loop',
    'exif-subifd-loop',
    'exif-gps-loop',
    'exif-count-4g',
    'exif-entries-65535',
    'exif-truncated-tiff',
  ])('gets through %s', (name) => {
    const metadata = readMetadata(fixture(`hostile-${name}.jpg`), 'image/jpeg')
    expect(metadata.location).toBeUndefined()
    expect(metadata.creation).toBeUndefined()
  })

  it.each(['xmp-billion-laughs', 'xmp-xxe', 'xmp-not-xml', 'iptc-bad-length'])('takes nothing from %s', (name) => {
    expect(readMetadata(fixture(`hostile-${name}.jpg`), 'image/jpeg')).toEqual({})
  })

  it('copies text that would be dangerous elsewhere, as it is, through every format', () => {
    const { copyright } = readMetadata(fixture('hostile-exif-injection-strings.jpg'), 'image/jpeg')
    expect(copyright?.text).toMatch(/<script>/)
    for (const name of NAMES) {
      const { type, data } = image(name)
      expect(readMetadata(writeMetadata(data, type, { copyright: copyright ?? {} }), type).copyright).toEqual(copyright)
    }
  })
})

describe('selectMetadata', () => {
  it('takes the asked items only', () => {
    expect(selectMetadata(EVERYTHING, ['creation'])).toEqual({ creation: EVERYTHING.creation })
    expect(selectMetadata(EVERYTHING, ['copyright', 'location'])).toEqual({
      copyright: EVERYTHING.copyright,
      location: LOCATION,
    })
    expect(selectMetadata(EVERYTHING, [])).toEqual({})
    expect(selectMetadata({ location: LOCATION }, ['copyright', 'creation'])).toEqual({})
  })
})

describe.each(NAMES)('writeMetadata to %s', (name) => {
  it('is read back exactly', () => {
    const { type, data } = image(name)
    for (const metadata of [
      EVERYTHING,
      { copyright: { text: 'x' } },
      { copyright: { flagged: true } },
      { copyright: { url: PAGE } },
      { creation: '2021:07:04 18:30:15' },
      { creation: '2021:07:04' },
    ] satisfies Metadata[]) {
      const written = writeMetadata(data, type, metadata)
      expect(readMetadata(written, type)).toEqual(carried(metadata, type))
    }
  })

  it('leaves every pixel as it was', async () => {
    const { type, data } = image(name)
    const written = writeMetadata(data, type, EVERYTHING)
    expect(written.length).toBeGreaterThan(data.length)
    const [before, after] = await Promise.all([data, written].map((each) => sharp(each, { animated: true }).metadata()))
    expect([after?.width, after?.height, after?.pages, after?.hasAlpha, after?.delay]).toEqual([
      before?.width, before?.height, before?.pages, before?.hasAlpha, before?.delay,
    ]) // prettier-ignore
    expect((await pixelsOf(written)).equals(await pixelsOf(data))).toBe(true)
  })

  it('is understood by an independent reader', () => {
    const { type, data } = image(name)
    const metadata: Metadata = { ...EVERYTHING, copyright: { text: NOTICE, flagged: true, url: PAGE } }
    const tags = load(Buffer.from(writeMetadata(data, type, metadata)), { expanded: true })
    if (type === 'image/png') {
      expect(tags.pngText?.['Copyright']?.description).toBe(NOTICE)
      expect(tags.pngText?.['Marked']?.description).toBe('True')
      expect(tags.pngText?.['WebStatement']?.description).toBe(PAGE)
      expect(tags.pngText?.['Creation Time']?.description).toBe('2021-07-04T18:30:15')
    } else {
      expect(tags.exif?.['Copyright']?.description).toBe(NOTICE)
      expect(tags.exif?.['DateTimeOriginal']?.description).toBe('2021:07:04 18:30:15')
      expect(tags.gps?.Latitude).toBeCloseTo(48.8584, 6)
      expect(tags.gps?.Longitude).toBeCloseTo(2.2945, 4)
    }
    // ExifReader does not know the two Photoshop resources; known-values.slow.test.ts reads them with ExifTool.
  })

  it('keeps the notice readable as plain bytes', () => {
    const { type, data } = image(name)
    const text = 'Copyright © Ada & Sons'
    expect(Buffer.from(writeMetadata(data, type, { copyright: { text } })).includes(text)).toBe(true)
  })

  it('returns the same array when there is nothing to write', () => {
    const { type, data } = image(name)
    expect(writeMetadata(data, type, {})).toBe(data)
    expect(writeMetadata(data, type, { copyright: {} })).toBe(data)
  })

  it('returns the same array for a truncated file', () => {
    const { type, data } = image(name)
    const start = data.subarray(0, 11)
    expect(writeMetadata(start, type, EVERYTHING)).toBe(start)
  })

  it('does not touch the input', () => {
    const { type, data } = image(name)
    const copy = data.slice()
    writeMetadata(data, type, EVERYTHING)
    stripMetadata(data, type)
    expect(data).toEqual(copy)
  })
})

const added = (name: string, metadata: Metadata): number => {
  const { type, data } = image(name)
  return writeMetadata(data, type, metadata).length - data.length
}

describe('the budgets of writeMetadata', () => {
  const text = NOTICE

  it('are exact for JPEG', () => {
    expect(added('JPEG', { copyright: { text } })).toBe(37 + text.length)
    expect(added('JPEG', { creation: '2021:07:04 18:30:15' })).toBe(74)
    expect(added('JPEG', { location: LOCATION })).toBe(138)
    const url = 'https://example.com/licence1'
    expect(added('JPEG', { copyright: { flagged: true, url } })).toBe(44 + url.length)
    expect(added('JPEG', { copyright: { text, flagged: true, url } })).toBeLessThanOrEqual(
      90 + text.length + url.length,
    )
  })

  it('are exact for PNG', () => {
    expect(added('PNG', { copyright: { text } })).toBe(22 + text.length)
    expect(added('PNG', { creation: '2021:07:04 18:30:15+02:00' })).toBe(51)
    expect(added('PNG', { location: LOCATION })).toBe(0)
    const rights = { text: 'Adá', flagged: true, url: PAGE } as const
    expect(added('PNG', { copyright: rights })).toBe(26 + Buffer.byteLength(rights.text) + 23 + 25 + PAGE.length)
    // XMP rights take at most the interface's 90 bytes in addition to the data.
    expect(added('PNG', readMetadata(fixture('all.png'), 'image/png'))).toBeLessThanOrEqual(
      90 + NOTICE.length + PAGE.length + 51,
    )
  })

  it('are exact for WebP, with 18 bytes for a missing VP8X', () => {
    expect(added('animated WebP', { creation: '2021:07:04 18:30:15' })).toBe(72)
    expect(added('WebP', { creation: '2021:07:04 18:30:15' })).toBe(72 + 18)
    expect(added('animated WebP', { location: LOCATION })).toBe(136)
  })

  it('hold for AVIF', () => {
    // 64 of TIFF, 4 of its offset, 21 of entry, 18 of location; the reference is 14, or 26 where it is the first.
    expect(added('AVIF', { creation: '2021:07:04 18:30:15' })).toBe(64 + 4 + 21 + 18 + 26)
    expect(added('AVIF with alpha', { creation: '2021:07:04 18:30:15' })).toBe(64 + 4 + 21 + 18 + 14)
    // Metadata that was there before leaves no bytes behind.
    const bare = stripMetadata(fixture('all.avif'), 'image/avif')
    const dated = writeMetadata(bare, 'image/avif', { creation: '2021:07:04 18:30:15' })
    expect(dated.length - bare.length).toBeLessThanOrEqual(64 + 4 + 21 + 18 + 26)
  })
})

describe('writeMetadata refuses what readMetadata never returns', () => {
  it.each(IMAGE_TYPES)('for %s', (type) => {
    const data = new Uint8Array()
    const refused = (metadata: Metadata, option: string): void => {
      expect(() => writeMetadata(data, type, metadata)).toThrowError(
        expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(option) }),
      )
    }
    refused({ copyright: { text: 'x'.repeat(32_769) } }, 'metadata.copyright.text')
    refused({ copyright: { text: ' padded ' } }, 'metadata.copyright.text')
    refused({ copyright: { url: '' } }, 'metadata.copyright.url')
    refused({ creation: '2021-07-04T18:30:15' }, 'metadata.creation')
    // prettier-ignore
    refused({ location: { ...LOCATION, latitude: [[-48, 1], [51, 1], [30, 1]] } }, 'metadata.location')
    // prettier-ignore
    refused({ location: { ...LOCATION, longitude: [[2.5, 1], [0, 1], [0, 1]] } }, 'metadata.location')
  })
})

describe('the longest text', () => {
  it.each(NAMES)('fits into %s', (name) => {
    const { type, data } = image(name)
    const metadata: Metadata = { ...EVERYTHING, copyright: { text: 'é'.repeat(16_384), url: 'u'.repeat(32_768) } }
    const read = readMetadata(writeMetadata(data, type, metadata), type)
    // `toEqual` would print the long text.
    expect(isDeepStrictEqual(read, carried(metadata, type))).toBe(true)
  })
})

describe('a chain of uploads', () => {
  it.each(NAMES)('keeps the items of a JPEG through %s and back', (name) => {
    const source = readMetadata(fixture('everything.jpg'), 'image/jpeg')
    const { type, data } = image(name)
    const through = readMetadata(writeMetadata(data, type, source), type)
    const { data: jpeg } = image('JPEG')
    expect(readMetadata(writeMetadata(jpeg, 'image/jpeg', through), 'image/jpeg')).toEqual(carried(source, type))
  })
})

function degrees(angle: GeoLocation['latitude'] | undefined): number {
  const [d = 0, m = 0, s = 0] = angle?.map(([numerator, denominator]) => numerator / denominator) ?? []
  return d + m / 60 + s / 3600
}
