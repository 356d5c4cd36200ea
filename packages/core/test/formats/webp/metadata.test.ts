import sharp from 'sharp'
import type { WebpOptions } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Metadata } from '../../../src/metadata/types.ts'
import { readWebp, stripWebp, writeWebp } from '../../../src/formats/webp/metadata.ts'
import { fixture } from '../../metadata/fixture.ts'

interface Chunk {
  type: string
  data: Buffer
}

function chunks(file: Uint8Array): Chunk[] {
  const buffer = Buffer.from(file)
  expect(buffer.readUInt32LE(4)).toBe(buffer.length - 8)
  const found: Chunk[] = []
  for (let at = 12; at < buffer.length;) {
    const size = buffer.readUInt32LE(at + 4)
    found.push({ type: buffer.toString('latin1', at, at + 4), data: buffer.subarray(at + 8, at + 8 + size) })
    at += 8 + size + (size % 2)
  }
  return found
}

const types = (file: Uint8Array): string[] => chunks(file).map(({ type }) => type)
const pixels = (data: Uint8Array): Promise<Buffer> => sharp(data, { animated: true }).ensureAlpha().raw().toBuffer()
const METADATA: Metadata = { copyright: { text: 'Ada', flagged: true }, creation: '2021:07:04 18:30:15' }

let opaque: Uint8Array
let transparent: Uint8Array
let lossless: Uint8Array

const make = async (background: string, options: WebpOptions): Promise<Uint8Array> =>
  new Uint8Array(
    await sharp({ create: { width: 321, height: 17, channels: background.length === 5 ? 4 : 3, background } })
      .webp(options)
      .toBuffer(),
  )

beforeAll(async () => {
  opaque = await make('#f00', {})
  transparent = await make('#f008', {})
  lossless = await make('#f008', { lossless: true })
})

describe('writeWebp', () => {
  it('makes a VP8X with the size and flags of the bitstream', () => {
    for (const [file, alpha] of [
      [opaque, 0],
      [lossless, 0x10],
    ] as const) {
      // prettier-ignore
      expect(types(file)).toHaveLength(1)
      const written = chunks(writeWebp(file, METADATA))
      expect(written.map(({ type }) => type)).toEqual(['VP8X', ...types(file), 'EXIF'])
      const header = written[0]?.data
      expect(header?.[0]).toBe(alpha | 0x08)
      expect(header?.readUIntLE(4, 3)).toBe(321 - 1)
      expect(header?.readUIntLE(7, 3)).toBe(17 - 1)
    }
  })

  it('keeps the flags of a VP8X that is there', () => {
    const before = chunks(transparent)[0]?.data[0] ?? 0
    const [header] = chunks(writeWebp(transparent, { creation: '2021:07:04' }))
    expect(header?.data[0]).toBe(before | 0x08)
  })

  it('returns the same array for a bitstream that it does not know', () => {
    const unknown = opaque.slice()
    unknown.fill(0, 23, 26)
    expect(writeWebp(unknown, METADATA)).toBe(unknown)
  })
})

describe('stripWebp', () => {
  it('removes the metadata of all.webp and no pixel', async () => {
    const stripped = stripWebp(fixture('all.webp'))
    // prettier-ignore
    expect(chunks(stripped).map(({ type, data }) => [type, type === 'VP8X' ? data[0] : 0])).toEqual([['VP8X', 0], ['VP8 ', 0]])
    expect((await pixels(stripped)).equals(await pixels(fixture('all.webp')))).toBe(true)
    expect(stripWebp(stripped)).toBe(stripped)
  })

  it('undoes writeWebp up to the VP8X', () => {
    expect(stripWebp(writeWebp(transparent, METADATA))).toEqual(transparent)
    expect(types(stripWebp(writeWebp(opaque, METADATA)))).toEqual(['VP8X', 'VP8 '])
  })

  it('removes an orientation, which browsers ignore', async () => {
    const rotated = writeWebp(fixture('hopper_orientation_6.webp'), METADATA)
    const stripped = stripWebp(rotated)
    expect(readWebp(stripped)).toEqual({})
    expect((await sharp(stripped).metadata()).orientation).toBeUndefined()
    expect(types(stripped)).not.toContain('EXIF')
  })

  it('removes unknown chunks and bytes behind the RIFF', () => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(opaque.length - 8 + 12)
    const unknown = Buffer.from('abcd\x03\0\0\0xyz\0', 'latin1')
    const data = Buffer.concat([Buffer.from('RIFF'), size, opaque.subarray(8), unknown, Buffer.from('PK tail')])
    expect(stripWebp(new Uint8Array(data))).toEqual(opaque)
  })

  it('keeps the profile and the frames', async () => {
    const frame = sharp({ create: { width: 8, height: 8, channels: 3, background: '#0f0' } })
    const frames = [await frame.png().toBuffer(), await frame.negate().png().toBuffer()]
    const animated = sharp(frames, { join: { animated: true } })
      .withIccProfile('p3')
      .webp({ loop: 3, delay: [50, 70] })
    const data = new Uint8Array(await animated.toBuffer())
    expect(types(data)).toContain('ICCP')
    expect(stripWebp(writeWebp(data, METADATA))).toEqual(data)
  })

  it('returns the same array when nothing is removed or the file is truncated', () => {
    for (const file of [opaque, transparent, lossless]) expect(stripWebp(file)).toBe(file)
    const cut = fixture('all.webp').subarray(0, -1000)
    expect(stripWebp(cut)).toBe(cut)
    expect(writeWebp(cut, METADATA)).toBe(cut)
  })
})
