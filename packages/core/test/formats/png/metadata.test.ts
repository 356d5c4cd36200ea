import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildExif } from '../../../src/metadata/exif-write.ts'
import { readPng, readPngOrientation, stripPng, writePng } from '../../../src/formats/png/metadata.ts'
import { fixture } from '../../metadata/fixture.ts'

function chunk(type: string, content: string | Uint8Array): Buffer {
  const body = Buffer.concat([
    Buffer.from(type),
    typeof content === 'string' ? Buffer.from(content, 'latin1') : content,
  ])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(body.length - 4)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

function types(data: Uint8Array): string[] {
  const buffer = Buffer.from(data)
  const found: string[] = []
  for (let at = 8; at + 8 <= buffer.length; at += 12 + buffer.readUInt32BE(at)) {
    found.push(buffer.toString('latin1', at + 4, at + 8))
  }
  return found
}

/** With chunks behind IHDR. */
const insert = (png: Uint8Array, ...parts: Uint8Array[]): Uint8Array =>
  new Uint8Array(Buffer.concat([png.subarray(0, 33), ...parts, png.subarray(33)]))
const pixels = (data: Uint8Array): Promise<Buffer> => sharp(data).raw().toBuffer()

/** An EXIF block with a copyright. */
const BLOCK = buildExif({ copyrightText: 'Ada' }) ?? new Uint8Array()

let plain: Uint8Array

beforeAll(async () => {
  const image = sharp({ create: { width: 8, height: 8, channels: 4, background: '#f008' } })
  // Without the pHYs chunk that sharp writes.
  plain = stripPng(new Uint8Array(await image.png().toBuffer()))
})

describe('readPng', () => {
  it('reads compressed text', () => {
    const compressed = insert(plain, chunk('zTXt', Buffer.concat([Buffer.from('Copyright\0\0'), deflateSync('Ada')])))
    expect(readPng(compressed)).toEqual({ copyright: { text: 'Ada' } })
    const international = Buffer.concat([Buffer.from('Copyright\0\x01\0en\0Recht\0'), deflateSync('Ada ☕')])
    expect(readPng(insert(plain, chunk('iTXt', international)))).toEqual({ copyright: { text: 'Ada ☕' } })
  })

  it('reads Latin-1 text', () => {
    expect(readPng(insert(plain, chunk('tEXt', 'Copyright\0© Ada')))).toEqual({ copyright: { text: '© Ada' } })
  })

  it.each([
    ['a bomb', chunk('zTXt', Buffer.concat([Buffer.from('Copyright\0\0'), deflateSync(Buffer.alloc(8 << 20, 'a'))]))],
    ['damaged data', chunk('zTXt', 'Copyright\0\0damaged')],
    ['no end of the keyword', chunk('tEXt', 'Copyright')],
    ['another case of the keyword', chunk('tEXt', 'COPYRIGHT\0Ada')],
    ['no end of the language', chunk('iTXt', 'Copyright\0\0\0en')],
    ['an EXIF block with a wrong CRC', Buffer.from([...chunk('eXIf', BLOCK).subarray(0, -4), 0, 0, 0, 0])],
  ])('takes nothing from %s', (_, extra) => {
    expect(readPng(insert(plain, extra))).toEqual({})
  })

  it('inflates a bounded number of texts', () => {
    const bomb = chunk('zTXt', Buffer.concat([Buffer.from('Copyright\0\0'), deflateSync(Buffer.alloc(2 << 20, 'a'))]))
    const good = chunk('zTXt', Buffer.concat([Buffer.from('Copyright\0\0'), deflateSync('Ada')]))
    expect(readPng(insert(plain, bomb, good)).copyright?.text).toBe('Ada')
    expect(readPng(insert(plain, ...Array.from({ length: 1000 }, () => bomb), good))).toEqual({})
  })
})

describe('stripPng', () => {
  it.each(['all.png', 'text-chunks.png'])('removes the metadata of %s and no pixel', async (name) => {
    const stripped = stripPng(fixture(name))
    expect(types(stripped)).toEqual(['IHDR', 'IDAT', 'IEND'])
    expect((await pixels(stripped)).equals(await pixels(fixture(name)))).toBe(true)
    expect(stripPng(stripped)).toBe(stripped)
  })

  it('keeps what decides about colours', () => {
    const data = fixture('gama-chrm.png')
    expect(types(data)).toEqual(['IHDR', 'gAMA', 'cHRM', 'IDAT', 'IEND'])
    expect(stripPng(data)).toBe(data)
    const kept = ['cICP', 'mDCV', 'cLLI', 'iCCP', 'sRGB', 'tRNS'].map((type) => chunk(type, 'data'))
    const dropped = ['sBIT', 'pHYs', 'bKGD', 'hIST', 'sPLT', 'tIME', 'vpAg', 'prVt', 'caBX'].map((type) =>
      chunk(type, 'data'),
    )
    expect(stripPng(insert(plain, ...kept, ...dropped))).toEqual(insert(plain, ...kept))
  })

  it('keeps critical chunks that it does not know', () => {
    const data = insert(plain, chunk('ABCD', 'x'))
    expect(stripPng(data)).toBe(data)
  })

  it('keeps animations', () => {
    const extra = ['acTL', 'fcTL', 'fdAT'].map((type) => chunk(type, 'x'))
    expect(stripPng(insert(plain, ...extra, chunk('tEXt', 'a\0b')))).toEqual(insert(plain, ...extra))
  })

  it('keeps an orientation, in a block with nothing else', async () => {
    const known = fixture('orientation-6.png')
    expect(readPngOrientation(known)).toBe(6)
    const rotated = new Uint8Array(
      await sharp(fixture('all.png')).keepMetadata().withMetadata({ orientation: 6 }).png().toBuffer(),
    )
    expect(readPng(rotated).copyright).toBeDefined()
    const stripped = stripPng(rotated)
    expect(readPng(stripped)).toEqual({})
    expect(types(stripped).filter((type) => type !== 'iCCP')).toEqual(['IHDR', 'eXIf', 'IDAT', 'IEND'])
    expect((await sharp(stripped).metadata()).orientation).toBe(6)
    expect(stripPng(stripped)).toBe(stripped)
  })

  it('removes bytes behind the end', () => {
    expect(stripPng(new Uint8Array([...plain, ...Buffer.from('<?php tail')]))).toEqual(plain)
  })

  it.each([
    ['without an end', (data: Uint8Array) => data.subarray(0, -12)],
    ['with a truncated chunk', (data: Uint8Array) => data.subarray(0, -1)],
    ['with another chunk first', (data: Uint8Array) => data.slice().fill(0x61, 12, 13)],
    ['with text between two pieces of pixels', (data: Uint8Array) => insert(data, chunk('IDAT', ''))],
    ['with a chunk type that is none', (data: Uint8Array) => insert(data, chunk('t3Xt', 'x'))],
  ])('returns the same array for a file %s', (_, damage) => {
    const damaged = damage(insert(plain, chunk('tEXt', 'a\0b')))
    expect(stripPng(damaged)).toBe(damaged)
  })
})

describe('writePng', () => {
  it('writes behind IHDR, with right CRCs', async () => {
    const written = writePng(plain, { copyright: { text: 'Ada', flagged: true }, creation: '2021:07:04 18:30:15' })
    expect(types(written)).toEqual(['IHDR', 'tEXt', 'tEXt', 'tEXt', ...types(plain).slice(1)])
    const buffer = Buffer.from(written)
    for (let at = 8; at < buffer.length;) {
      const end = at + 8 + buffer.readUInt32BE(at)
      expect(buffer.readUInt32BE(end)).toBe(crc32(buffer.subarray(at + 4, end)))
      at = end + 4
    }
    expect((await pixels(written)).equals(await pixels(plain))).toBe(true)
  })

  it('keeps the zone of a creation time', () => {
    const creation = '2021:07:04 18:30:15+02:00'
    expect(readPng(writePng(plain, { creation })).creation).toBe(creation)
  })

  it('writes text in iTXt where it is not ASCII', () => {
    expect(types(writePng(plain, { copyright: { text: '©' } }))).toContain('iTXt')
    expect(types(writePng(plain, { copyright: { text: '(c)' } }))).toContain('tEXt')
  })
})
