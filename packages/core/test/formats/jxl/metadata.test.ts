import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { requireTool } from '@pixpress/testkit'
import { load } from 'exifreader'
import { describe, expect, it } from 'vitest'
import { decodeJxl } from '../../../src/formats/jxl/libjxl.ts'
import { buildExif } from '../../../src/metadata/exif-write.ts'
import { readJxl, stripJxl, writeJxl } from '../../../src/formats/jxl/metadata.ts'
import type { GeoLocation, Metadata } from '../../../src/metadata/types.ts'
import { jxlFixture } from './fixture.ts'
import { fixture } from '../../metadata/fixture.ts'

function box(type: string, content: Uint8Array): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(content.length + 8)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, content])
}

const SIGNATURE = box('JXL ', Buffer.from([13, 10, 0x87, 10]))
const EXIF = Buffer.concat([Buffer.alloc(4), buildExif({ copyrightText: 'Ada' }) ?? Buffer.alloc(0)])

describe('readJxl', () => {
  it('reads compressed boxes', () => {
    const brob = box('brob', Buffer.concat([Buffer.from('Exif'), brotliCompressSync(EXIF)]))
    expect(readJxl(Buffer.concat([SIGNATURE, brob]))).toEqual({ copyright: { text: 'Ada' } })
  })

  it.each([
    ['a bomb', box('brob', Buffer.concat([Buffer.from('xml '), brotliCompressSync(Buffer.alloc(8 << 20))]))],
    ['damaged data', box('brob', Buffer.from('Exif damaged'))],
    ['an offset behind the end', box('Exif', Buffer.concat([Buffer.from([0, 0, 255, 255]), EXIF.subarray(4)]))],
  ])('takes nothing from %s', (_, extra) => {
    expect(readJxl(Buffer.concat([SIGNATURE, extra]))).toEqual({})
  })

  it('finds nothing in a bare codestream', () => {
    const file = fixture('all.jxl')
    const start = Buffer.from(file).indexOf('jxlc') + 4
    expect(readJxl(file.subarray(start))).toEqual({})
  })
})

const CODESTREAM = jxlFixture('17x15')
const JXLC = box('jxlc', CODESTREAM)
const FILE_TYPE = box('ftyp', Buffer.from('jxl \0\0\0\0jxl ', 'latin1'))
const LOCATION: GeoLocation = {
  latitudeRef: 'N',
  latitude: [
    [48, 1],
    [12, 1],
    [0, 1],
  ],
  longitudeRef: 'E',
  longitude: [
    [16, 1],
    [22, 1],
    [30, 1],
  ],
}
const METADATA: Metadata = {
  copyright: { text: 'Ada Example', flagged: true, url: 'https://example.com/rights' },
  creation: '2021:07:04 18:30:15',
  location: LOCATION,
}

describe('writeJxl', () => {
  it.each([
    ['a bare codestream', CODESTREAM],
    ['a container', Buffer.concat([SIGNATURE, FILE_TYPE, JXLC])],
    ['a container in parts', split(CODESTREAM)],
  ])('adds to %s what can be read again, and the same picture', async (_, data) => {
    const written = writeJxl(data, METADATA)
    expect(readJxl(written)).toEqual(METADATA)
    expect(Buffer.from(await pixels(written)).equals(await pixels(CODESTREAM))).toBe(true)
    expect(Buffer.from(stripJxl(written)).equals(CODESTREAM)).toBe(true)
  })

  it('adds no more than the boxes', () => {
    const tiff = buildExif({ copyrightText: 'Ada' })!
    const written = writeJxl(CODESTREAM, { copyright: { text: 'Ada' } })
    // Signature, file type, the codestream's header, and the box with its offset.
    expect(written.length - CODESTREAM.length).toBe(12 + 20 + 8 + (8 + 4 + tiff.length))
    expect(writeJxl(written, { copyright: { text: 'Bob' } })).toBe(written)
    expect(writeJxl(CODESTREAM, {})).toBe(CODESTREAM)
  })

  it('is understood by ExifReader', () => {
    const tags = load(Buffer.from(writeJxl(CODESTREAM, METADATA)), { expanded: true })
    expect(tags.file?.FileType?.value).toBe('jxl')
    expect(tags.exif?.Copyright?.description).toBe('Ada Example')
    expect(tags.exif?.DateTimeOriginal?.description).toBe('2021:07:04 18:30:15')
    expect(tags.gps).toMatchObject({ Latitude: 48.2, Longitude: 16.375 })
  })

  const exiftool = requireTool('exiftool')
  it.skipIf(exiftool === undefined)('is understood by ExifTool', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'pixpress-'))
    try {
      const file = path.join(folder, 'a.jxl')
      await writeFile(file, writeJxl(CODESTREAM, METADATA))
      const said = execFileSync(exiftool!, ['-j', '-n', '-warning', '-all', file], { encoding: 'utf8' })
      const [tags] = JSON.parse(said) as [Record<string, unknown>]
      expect(tags).toMatchObject({
        FileType: 'JXL',
        Copyright: 'Ada Example',
        DateTimeOriginal: '2021:07:04 18:30:15',
        GPSLatitude: 48.2,
        GPSLongitude: 16.375,
        CopyrightFlag: 1,
        URL: 'https://example.com/rights',
      })
      expect(tags).not.toHaveProperty('Warning')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('stripJxl', () => {
  it('takes the codestream out of its container', async () => {
    const file = fixture('all.jxl')
    const stripped = stripJxl(file)
    expect(stripped.subarray(0, 2)).toEqual(Uint8Array.of(0xff, 0x0a))
    expect(readJxl(stripped)).toEqual({})
    expect(Buffer.from(await pixels(stripped)).equals(await pixels(file))).toBe(true)
  })

  it('drops what a JPEG could be restored from', async () => {
    const file = jxlFixture('jpeg-transcode')
    expect(Buffer.from(file).includes('jbrd')).toBe(true)
    const stripped = stripJxl(file)
    expect(Buffer.from(stripped).includes('jbrd')).toBe(false)
    expect(Buffer.from(await pixels(stripped)).equals(await pixels(file))).toBe(true)
  })

  it('keeps the container of a codestream that needs more than the usual features', () => {
    const level = box('jxll', Buffer.from([10]))
    const file = Buffer.concat([SIGNATURE, FILE_TYPE, level, box('Exif', EXIF), JXLC])
    expect(Buffer.from(stripJxl(file)).equals(Buffer.concat([SIGNATURE, FILE_TYPE, level, JXLC]))).toBe(true)
  })

  it.each([
    ['a bare codestream', CODESTREAM],
    ['a container without codestream', Buffer.concat([SIGNATURE, FILE_TYPE, box('Exif', EXIF)])],
    ['two codestreams', Buffer.concat([SIGNATURE, JXLC, JXLC])],
    ['parts that end too early', split(CODESTREAM).subarray(0, -CODESTREAM.length)],
  ])('leaves %s as it is', (_, data) => {
    expect(stripJxl(data)).toBe(data)
  })
})

function part(index: number, data: Uint8Array): Buffer {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(index)
  return box('jxlp', Buffer.concat([number, data]))
}

/** A container with the codestream in two parts. */
function split(codestream: Uint8Array): Buffer {
  const parts = [part(0, codestream.subarray(0, 20)), part(0x80000001, codestream.subarray(20))]
  return Buffer.concat([SIGNATURE, FILE_TYPE, ...parts])
}

const pixels = async (data: Uint8Array): Promise<Uint8Array> => (await decodeJxl(data)).data
