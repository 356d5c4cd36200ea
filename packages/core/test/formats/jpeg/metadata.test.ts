import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { readJpeg, readJpegOrientation, stripJpeg, writeJpeg } from '../../../src/formats/jpeg/metadata.ts'
import { fixture } from '../../metadata/fixture.ts'

/** Markers and first characters of the segments in front of the first scan. */
function header(data: Uint8Array): string[] {
  const found: string[] = []
  let at = 2
  while (data[at] === 0xff && data[at + 1] !== 0xda) {
    const length = ((data[at + 2] ?? 0) << 8) | (data[at + 3] ?? 0)
    const name = Buffer.from(data.subarray(at + 4, at + 8)).toString('latin1')
    found.push((data[at + 1] ?? 0) >= 0xe0 ? `${data[at + 1]?.toString(16)} ${name}` : 'table')
    at += 2 + length
  }
  return found.filter((each) => each !== 'table')
}

const segment = (marker: number, text: string): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, marker, (text.length + 2) >> 8, (text.length + 2) & 255]),
    Buffer.from(text, 'latin1'),
  ])
const insert = (jpeg: Uint8Array, ...parts: Uint8Array[]): Uint8Array =>
  new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)]))
const pixels = (data: Uint8Array): Promise<Buffer> => sharp(data).raw().toBuffer()

const upright = (data: Uint8Array): Promise<Buffer> => sharp(data).autoOrient().raw().toBuffer()

let plain: Uint8Array
let progressive: Uint8Array

beforeAll(async () => {
  const noise = sharp(Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, i) => (i * i) % 253)), {
    raw: { width: 64, height: 48, channels: 3 },
  })
  plain = new Uint8Array(await noise.jpeg().toBuffer())
  progressive = new Uint8Array(await noise.jpeg({ mozjpeg: true }).toBuffer())
})

describe('stripJpeg', () => {
  it.each(['all.jpg', 'everything.jpg', 'irb-only.jpg', 'gps-only.jpg', 'exif_gps.jpg'])(
    'removes the metadata of %s and no pixel',
    async (name) => {
      const data = fixture(name)
      const stripped = stripJpeg(data)
      expect(stripped.length).toBeLessThan(data.length)
      expect(readJpeg(stripped)).toEqual({})
      expect(header(stripped).filter((each) => !/^(e0 JFIF|e2 ICC_)$/.test(each))).toEqual([])
      expect((await pixels(stripped)).equals(await pixels(data))).toBe(true)
    },
  )

  it('keeps the colour profile', async () => {
    const stripped = stripJpeg(fixture('everything.jpg'))
    expect((await sharp(stripped).metadata()).icc).toEqual((await sharp(fixture('everything.jpg')).metadata()).icc)
  })

  it('keeps the Adobe segment, which tells the colour model', () => {
    const data = fixture('app13.jpg')
    const stripped = stripJpeg(data)
    expect(header(data)).toEqual(['ed Adob', 'ee Adob'])
    expect(header(stripped)).toEqual(['ee Adob'])
  })

  it('keeps an orientation, in a block with nothing else', async () => {
    const rotated = new Uint8Array(
      await sharp(fixture('all.jpg')).keepMetadata().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    )
    expect(readJpegOrientation(rotated)).toBe(6)
    expect(readJpeg(rotated).location).toBeDefined()
    const stripped = stripJpeg(rotated)
    expect(readJpegOrientation(stripped)).toBe(6)
    expect(readJpeg(stripped)).toEqual({})
    const exif = (await sharp(stripped).metadata()).exif
    expect(exif).toHaveLength(32)
    expect((await upright(stripped)).equals(await upright(rotated))).toBe(true)
    expect(stripJpeg(stripped)).toBe(stripped)
  })

  it.each([
    'hostile-exif-orientation-9.jpg',
    'hostile-exif-orientation-string.jpg',
    'hostile-exif-orientation-count2.jpg',
  ])('drops what is no orientation: %s', (name) => {
    const stripped = stripJpeg(fixture(name))
    expect(stripped.length).toBeLessThan(fixture(name).length)
    expect(header(stripped)).toEqual(['e0 JFIF'])
  })

  it('removes comments, previews and unknown segments', () => {
    const extra = [
      segment(0xfe, 'comment'),
      segment(0xe0, 'JFXX\0...'),
      segment(0xe2, 'MPF\0....'),
      segment(0xeb, 'JP..'),
    ]
    expect(stripJpeg(insert(plain, ...extra))).toEqual(plain)
  })

  it('removes segments between scans, and bytes behind the end', () => {
    const lastScan = Buffer.from(progressive).lastIndexOf(Buffer.from([0xff, 0xda]))
    const data = Buffer.concat([
      progressive.subarray(0, lastScan),
      segment(0xfe, 'between'),
      progressive.subarray(lastScan),
      Buffer.from('<?php tail'),
    ])
    expect(stripJpeg(new Uint8Array(data))).toEqual(progressive)
  })

  it('returns the same array when there is nothing to remove', () => {
    expect(stripJpeg(plain)).toBe(plain)
    expect(stripJpeg(progressive)).toBe(progressive)
  })

  it.each([
    ['without an end', (data: Uint8Array) => data.subarray(0, -2)],
    ['with the end first', (data: Uint8Array) => insert(data, Uint8Array.of(0xff, 0xd9))],
    ['with an impossible segment', (data: Uint8Array) => insert(data, Uint8Array.of(0xff, 0xfe, 0, 1))],
    ['with bytes between segments', (data: Uint8Array) => insert(data, Uint8Array.of(1, 2, 3))],
    ['with a second start', (data: Uint8Array) => insert(data, Uint8Array.of(0xff, 0xd8))],
  ])('returns the same array for a file %s', (_, damage) => {
    const damaged = damage(insert(plain, segment(0xfe, 'comment')))
    expect(stripJpeg(damaged)).toBe(damaged)
  })

  it('accepts fill bytes in front of markers', () => {
    expect(stripJpeg(insert(plain, Uint8Array.of(0xff, 0xff), segment(0xfe, 'comment')))).toEqual(plain)
  })

  it('does not go through millions of segments', () => {
    const data = insert(
      plain,
      new Uint8Array(4_000_000).map((_, i) => [0xff, 0xe5, 0, 2][i % 4] ?? 0),
    )
    expect(stripJpeg(data)).toBe(data)
  })
})

describe('writeJpeg', () => {
  it('writes behind JFIF, EXIF in front of Photoshop', () => {
    const copyright = { text: 'Ada', flagged: true, url: 'u' } as const
    expect(header(writeJpeg(plain, { copyright }))).toEqual([...header(plain), 'e1 Exif', 'ed Phot'])
  })

  it('writes the same resources as ExifTool', () => {
    const known = fixture('irb-only.jpg')
    const start = Buffer.from(known).indexOf(Buffer.from([0xff, 0xed]))
    const end = start + 2 + ((known[start + 2] ?? 0) << 8) + (known[start + 3] ?? 0)
    const written = writeJpeg(plain, { copyright: { flagged: true, url: 'https://example.com/licence' } })
    expect(Buffer.from(written).includes(Buffer.from(known.subarray(start, end)))).toBe(true)
  })

  it('keeps an orientation that stripJpeg left', () => {
    const stripped = stripJpeg(fixture('hopper_orientation_6.jpg'))
    const written = writeJpeg(stripped, { creation: '2021:07:04 18:30:15' })
    expect(readJpegOrientation(written)).toBe(6)
    expect(header(written).filter((each) => each === 'e1 Exif')).toHaveLength(1)
    // The result has one entry of 12 bytes more than with the creation time alone.
    expect(written.length - stripJpeg(plain).length).toBe(stripped.length - 36 + 74 + 12 - plain.length)
    expect(readJpegOrientation(writeJpeg(stripped, { copyright: { flagged: true } }))).toBe(6)
  })
})

describe('readJpegOrientation', () => {
  it('reads what sharp reads', async () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const data = new Uint8Array(await sharp(plain).withMetadata({ orientation }).jpeg().toBuffer())
      expect(readJpegOrientation(data)).toBe(orientation)
    }
    expect(readJpegOrientation(plain)).toBe(1)
  })
})
