import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseAvif } from '../../../src/formats/avif/metadata-items.ts'
import { readAvif, stripAvif, writeAvif } from '../../../src/formats/avif/metadata.ts'
import type { Metadata } from '../../../src/metadata/types.ts'
import { fixture } from '../../metadata/fixture.ts'

const METADATA: Metadata = { copyright: { text: 'Ada', flagged: true, url: 'u' }, creation: '2021:07:04 18:30:15' }
const pixels = (data: Uint8Array): Promise<Buffer> => sharp(data).ensureAlpha().raw().toBuffer()

function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(body.length + 8)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}

interface Parts {
  ftyp: Buffer
  meta: Buffer
  mdat: Buffer
}

/** Top-level boxes of a file that has just these three. */
function split(data: Uint8Array): Parts {
  const buffer = Buffer.from(data)
  const metaAt = buffer.readUInt32BE(0)
  const mdatAt = metaAt + buffer.readUInt32BE(metaAt)
  return { ftyp: buffer.subarray(0, metaAt), meta: buffer.subarray(metaAt, mdatAt), mdat: buffer.subarray(mdatAt) }
}

/** Moves all file offsets in a `meta` box. sharp writes `iloc` version 0 with bases and offsets of 4 bytes. */
function moved(meta: Buffer, by: number): Buffer {
  const copy = Buffer.from(meta)
  const at = copy.indexOf('iloc') + 4
  expect([copy[at], copy[at + 4], copy[at + 5]]).toEqual([0, 0x44, 0x40])
  for (let item = 0; item < copy.readUInt16BE(at + 6); item++) {
    const base = at + 8 + item * 18 + 4
    copy.writeUInt32BE(copy.readUInt32BE(base) + by, base)
  }
  return copy
}

let plain: Uint8Array

beforeAll(async () => {
  const image = sharp(Buffer.from(Array.from({ length: 24 * 16 * 4 }, (_, i) => (i * 31) % 247)), {
    raw: { width: 24, height: 16, channels: 4 },
  })
  plain = new Uint8Array(await image.avif({ effort: 0 }).toBuffer())
})

describe('writeAvif', () => {
  it('describes the primary item by a new one', () => {
    const before = parseAvif(plain)
    const after = parseAvif(writeAvif(plain, METADATA))
    expect(after?.items.slice(0, before?.items.length)).toEqual(before?.items)
    expect(after?.items.slice(before?.items.length)).toMatchObject([{ type: 'Exif' }])
    expect(new Set(after?.items.map(({ id }) => id)).size).toBe(after?.items.length)
  })

  it('puts the bytes into the mdat at the end', () => {
    const written = writeAvif(plain, METADATA)
    expect(parseAvif(written)?.boxes.map(({ type }) => type)).toEqual(['ftyp', 'meta', 'mdat'])
    expect(parseAvif(written)?.boxes.at(-1)?.end).toBe(written.length)
  })

  it.each([
    [
      'the picture in front of meta',
      ({ ftyp, meta, mdat }: Parts) => [ftyp, mdat, moved(meta, -meta.length)],
      ['ftyp', 'mdat', 'meta', 'mdat'],
    ],
    [
      'another box at the end',
      ({ ftyp, meta, mdat }: Parts) => [ftyp, meta, mdat, box('free', Buffer.alloc(5))],
      ['ftyp', 'meta', 'mdat', 'free', 'mdat'],
    ],
    [
      'another box in front of the picture',
      ({ ftyp, meta, mdat }: Parts) => [ftyp, moved(meta, 13), box('free', Buffer.alloc(5)), mdat],
      ['ftyp', 'meta', 'free', 'mdat'],
    ],
    [
      'an mdat up to the end',
      ({ ftyp, meta, mdat }: Parts) => [ftyp, meta, Buffer.from(mdat).fill(0, 0, 4)],
      ['ftyp', 'meta', 'mdat'],
    ],
    [
      'an mdat of 64 bits',
      ({ ftyp, meta, mdat }: Parts) => {
        const header = Buffer.from('\0\0\0\x01mdat\0\0\0\0\0\0\0\0', 'latin1')
        header.writeUInt32BE(mdat.length + 8, 12)
        return [ftyp, moved(meta, 8), header, mdat.subarray(8)]
      },
      ['ftyp', 'meta', 'mdat'],
    ],
  ])('copes with %s', async (_, arrange, boxes) => {
    const data = new Uint8Array(Buffer.concat(arrange(split(plain))))
    expect((await pixels(data)).equals(await pixels(plain))).toBe(true)
    const written = writeAvif(data, METADATA)
    expect(readAvif(written)).toEqual(METADATA)
    expect(parseAvif(written)?.boxes.map(({ type }) => type)).toEqual(boxes)
    expect((await pixels(written)).equals(await pixels(plain))).toBe(true)
  })

  it.each([
    ['a sequence', ({ ftyp, meta, mdat }: Parts) => [ftyp, meta, mdat, box('moov', Buffer.alloc(8))]],
    ['two meta boxes', ({ ftyp, meta, mdat }: Parts) => [ftyp, meta, mdat, meta]],
    ['bytes behind the last box', ({ ftyp, meta, mdat }: Parts) => [ftyp, meta, mdat, Buffer.from('abc')]],
    ['a picture that would begin in meta', ({ ftyp, meta, mdat }: Parts) => [ftyp, moved(meta, -100), mdat]],
    [
      'no primary item',
      ({ ftyp, meta, mdat }: Parts) => [
        ftyp,
        Buffer.from(meta.toString('latin1').replace('pitm', 'free'), 'latin1'),
        mdat,
      ],
    ],
  ])('returns the same array for a file with %s', (_, arrange) => {
    const data = new Uint8Array(Buffer.concat(arrange(split(plain))))
    expect(writeAvif(data, METADATA)).toBe(data)
  })

  it('leaves a file alone that has metadata of its own', () => {
    const data = fixture('all.avif')
    expect(writeAvif(data, METADATA)).toBe(data)
    const once = writeAvif(plain, METADATA)
    expect(writeAvif(once, METADATA)).toBe(once)
  })
})

describe('readAvif', () => {
  it('reads what sharp writes', async () => {
    const data = await sharp(plain)
      .withExif({ IFD0: { Copyright: 'Ada' }, IFD2: { DateTimeOriginal: '2021:07:04 18:30:15' } })
      .avif({ effort: 0 })
      .toBuffer()
    expect(readAvif(new Uint8Array(data))).toEqual({ copyright: { text: 'Ada' }, creation: '2021:07:04 18:30:15' })
  })

  it('takes nothing from items that are not all there', () => {
    const written = writeAvif(plain, METADATA)
    expect(readAvif(written.subarray(0, -1))).toEqual({})
  })
})

describe('stripAvif', () => {
  it('removes what was written, to the byte', async () => {
    const stripped = stripAvif(writeAvif(plain, METADATA))
    expect(stripped.length).toBe(plain.length)
    expect((await pixels(stripped)).equals(await pixels(plain))).toBe(true)
  })

  it('removes what another tool wrote, without a trace', async () => {
    const source = fixture('all.avif')
    const stripped = stripAvif(source)
    expect(readAvif(stripped)).toEqual({})
    expect(parseAvif(stripped)?.items.filter(({ type }) => type === 'Exif' || type === 'mime')).toEqual([])
    expect(stripped.length).toBeLessThan(source.length - 200)
    expect((await pixels(stripped)).equals(await pixels(source))).toBe(true)
    expect(stripAvif(stripped)).toBe(stripped)
  })

  it('removes what stands in front of the picture', async () => {
    const { ftyp, meta, mdat } = split(plain)
    const described = writeAvif(new Uint8Array(Buffer.concat([ftyp, mdat, moved(meta, -meta.length)])), METADATA)
    const stripped = stripAvif(described)
    expect(Buffer.from(stripped).includes('Ada')).toBe(false)
    expect((await pixels(stripped)).equals(await pixels(plain))).toBe(true)
  })

  it('blanks where the structure is not known, and leaves room that what is preserved goes into', async () => {
    const described = Buffer.concat([writeAvif(plain, METADATA), box('uuid', Buffer.alloc(20))])
    const stripped = stripAvif(new Uint8Array(described))
    expect(stripped.length).toBe(described.length)
    expect(Buffer.from(stripped).includes('Ada')).toBe(false)
    expect((await pixels(stripped)).equals(await pixels(plain))).toBe(true)
    expect(readAvif(writeAvif(stripped, { copyright: { text: 'Eva' } }))).toEqual({ copyright: { text: 'Eva' } })
    expect(stripAvif(stripped)).toBe(stripped)
  })

  it('returns what has no metadata, or is no AVIF, as it is', () => {
    const text = new Uint8Array([1, 2, 3])
    expect(stripAvif(plain)).toBe(plain)
    expect(stripAvif(text)).toBe(text)
  })
})
