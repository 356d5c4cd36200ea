import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { naming } from '@pixpress/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { readDirectory, TIFF_TAG } from '../../../src/formats/tiff/directory.ts'
import { tiff } from '../../../src/formats/tiff/index.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import { cutout, open, photo } from '../../images.ts'

const optimizer = createOptimizer({ concurrency: 1 })
afterAll(() => optimizer.close())

const PNG = { convert: { type: 'image/png' }, quality: 100, effort: 'fast' } as const

const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/inputs/${name}.tif`, import.meta.url))

async function pixels(data: Uint8Array): Promise<Buffer> {
  return sharp(data).removeAlpha().toColourspace('srgb').raw().toBuffer()
}

function meanDifference(one: Buffer, other: Buffer): number {
  expect(one.length).toBe(other.length)
  return one.reduce((sum, level, at) => sum + Math.abs(level - other[at]!), 0) / one.length
}

/** Sets the first value of a tag of a little-endian file, without looking at its type. */
function withValue(file: Buffer, tag: number, value: number): Buffer {
  const changed = Buffer.from(file)
  const start = changed.readUInt32LE(4)
  for (let at = start + 2; at < start + 2 + changed.readUInt16LE(start) * 12; at += 12) {
    if (changed.readUInt16LE(at) === tag) changed.writeUInt16LE(value, at + 8)
  }
  return changed
}

/** Writes the directory of a little-endian file once more, behind its end, with a notice of copyright. */
function withCopyright(file: Buffer, text: string): Buffer {
  const start = file.readUInt32LE(4)
  const count = file.readUInt16LE(start)
  const entries = file.subarray(start + 2, start + 2 + count * 12)
  const added = Buffer.alloc(2 + entries.length + 12 + 4)
  added.writeUInt16LE(count + 1)
  added.set(entries, 2)
  const at = 2 + entries.length
  added.writeUInt16LE(0x8298, at)
  added.writeUInt16LE(2, at + 2)
  added.writeUInt32LE(text.length + 1, at + 4)
  added.writeUInt32LE(file.length + added.length, at + 8)
  const made = Buffer.concat([file, added, Buffer.from(`${text}\0`, 'latin1')])
  made.writeUInt32LE(file.length, 4)
  return made
}

describe('TIFF as an input', () => {
  it.each(['lzw', 'tiles', 'fax', 'jpeg'])('becomes PNG with the same pixels: %s', async (name) => {
    const { data, info } = await optimizer.optimize(fixture(name), PNG)
    expect(info).toMatchObject({ type: 'image/png', width: 40, height: 30, frames: 1 })
    expect((await pixels(data)).equals(await pixels(fixture(name)))).toBe(true)
  })

  it('keeps its transparency, which a type without any is not given', async () => {
    const { info } = await optimizer.optimize(fixture('alpha'), PNG)
    expect(info).toMatchObject({ type: 'image/png', hasAlpha: true })
    await expect(optimizer.optimize(fixture('alpha'), { convert: { type: 'image/jpeg' } })).rejects.toMatchObject({
      code: 'BACKGROUND_REQUIRED',
    })
  })

  it('is turned upright by its orientation', async () => {
    const source = await open(photo(40, 30)).withMetadata({ orientation: 6 }).tiff({ compression: 'lzw' }).toBuffer()
    const { data, info } = await optimizer.optimize(source, PNG)
    expect(info).toMatchObject({ width: 30, height: 40 })
    expect((await pixels(data)).equals(await open(photo(40, 30)).rotate(90).raw().toBuffer())).toBe(true)
  })

  it('has its inks read as those of a JPEG', async () => {
    const jpeg = await open(photo(16, 12)).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
    const [one, other] = await Promise.all([fixture('inks'), jpeg].map((source) => optimizer.optimize(source, PNG)))
    expect(meanDifference(await pixels(one!.data), await pixels(other!.data))).toBeLessThan(2)
  })

  it('has 16 bits read as those of a PNG, with its profile', async () => {
    const deep = await open(photo(16, 12)).toColourspace('rgb16').withIccProfile('p3').png().toBuffer()
    const source = await sharp(deep).toColourspace('rgb16').keepIccProfile().tiff({ compression: 'lzw' }).toBuffer()
    expect((await sharp(source).metadata()).depth).toBe('ushort')
    const webp = { convert: { type: 'image/webp' }, lossless: true, effort: 'fast' } as const
    const [one, other] = await Promise.all([source, deep].map((each) => optimizer.optimize(each, webp)))
    const wide = (await sharp(one!.data).metadata()).hasProfile
    expect([wide, (await sharp(other!.data).metadata()).hasProfile]).toEqual([wide, wide])
    // Browsers cut the samples of a PNG down to 8 bits before they apply its profile.
    expect(meanDifference(await pixels(one!.data), await pixels(other!.data))).toBeLessThan(1)
  })

  it('gives what is to be preserved to the result', async () => {
    const { data } = await optimizer.optimize(withCopyright(fixture('lzw'), 'Ada Lovelace'), {
      convert: { type: 'image/webp' },
      preserve: ['copyright'],
    })
    expect(Buffer.from(data).includes('Ada Lovelace')).toBe(true)
  })

  it('is read to its first page, and the others are counted in a note', async () => {
    const page = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const source = await sharp([page, page, page], { join: { animated: true } })
      .tiff()
      .toBuffer()
    expect(await optimizer.probe(source)).toMatchObject({ width: 20, height: 20, frames: 1 })
    const { info, notes } = await optimizer.optimize(source, PNG)
    expect(info).toMatchObject({ width: 20, height: 20 })
    expect(notes).toEqual([expect.stringContaining('2 more')])
  })

  it('stays as it is without another type, and a note says what that would save', async () => {
    const source = fixture('lzw')
    const { data, kept, reason, notes } = await optimizer.optimize(source)
    expect([Buffer.from(data).equals(source), kept, reason]).toEqual([true, 'input', 'unsupported'])
    expect(notes).toHaveLength(1)
    const [, bytes] =
      /^A TIFF stays as it is without 'convert': as WebP it would take about (\d+) of its 1936 bytes\.$/.exec(
        notes[0]!,
      )!
    const { info } = await optimizer.optimize(source, { convert: { type: 'image/webp' }, quality: 80 })
    expect(Math.abs(Number(bytes) / info.size - 1)).toBeLessThan(0.5)
  })

  it('is not resized without another type, but left alone by the width of a project', async () => {
    await expect(optimizer.optimize(fixture('lzw'), { resize: { method: 'scale', width: 8 } })).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: naming('TIFF', "'convert'", "'webp'"),
    })
    expect(await optimizer.optimize(fixture('lzw'), { maxWidth: 8 })).toMatchObject({ info: { width: 40 } })
    const small = await optimizer.optimize(fixture('lzw'), { maxWidth: 8, ...PNG })
    expect(small.info).toMatchObject({ type: 'image/png', width: 8, height: 6 })
  })

  it('may stay beside a list of types, and not with other pixels', async () => {
    const list = { convert: { type: ['image/jpeg'] as const } }
    expect(await optimizer.optimize(fixture('alpha'), list)).toMatchObject({ kept: 'input', reason: 'smallest' })
    const resized = optimizer.optimize(fixture('alpha'), { ...list, resize: { method: 'scale', width: 8 } })
    await expect(resized).rejects.toMatchObject({ code: 'BACKGROUND_REQUIRED' })
  })

  it.each([
    ['Lab colours', withValue(fixture('lzw'), TIFF_TAG.photometric, 8), /a TIFF in Lab colours/],
    ['colours of a sensor', withValue(fixture('lzw'), TIFF_TAG.photometric, 32_803), /whose colours browsers do not/],
    ['five channels', withValue(fixture('lzw'), TIFF_TAG.samples, 5), /a TIFF of 5 channels/],
    ['fractions', withValue(fixture('fax'), TIFF_TAG.bits, 32), /samples of 32 bits/],
  ])('is passed through with %s', (_, source, kind) => {
    expect(tiff.unsupported!(source, 1)?.kind).toMatch(kind)
  })

  it.each([
    ['cut short', fixture('lzw').subarray(0, 400), 'The end of this TIFF is missing. Copy or export it again.'],
    [
      'without a directory',
      Buffer.from('II*\0\x08\0\0\0\0\0', 'latin1'),
      'This TIFF is damaged. Copy or export it again.',
    ],
  ])('is told as damaged: %s', async (_, source, message) => {
    await expect(optimizer.optimize(source, PNG)).rejects.toMatchObject({ code: 'DECODE_FAILED', message })
  })

  it('is refused with an absurd size before anything is decoded', async () => {
    const source = withValue(withValue(fixture('lzw'), TIFF_TAG.width, 60_000), TIFF_TAG.height, 60_000)
    await expect(optimizer.optimize(source, PNG)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' })
  })
})

describe('readDirectory', () => {
  it('reads both orders of bytes and BigTIFF', async () => {
    const big = await open(photo(40, 30)).tiff({ bigtiff: true }).toBuffer()
    // One entry, of a width in 16 bits.
    const motorola = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\0\0\x03\0\0\0\x01\0\x28\0\0\0\0\0\0', 'latin1')
    for (const file of [fixture('lzw'), big, motorola]) {
      expect(readDirectory(file)).toMatchObject({ pages: 1 })
      expect(readDirectory(file)!.values(TIFF_TAG.width)).toEqual([40])
    }
  })

  it('ends in a file whose directories name each other', () => {
    const file = Buffer.from(fixture('lzw'))
    const start = file.readUInt32LE(4)
    file.writeUInt32LE(start, start + 2 + file.readUInt16LE(start) * 12)
    expect(readDirectory(file)!.pages).toBe(1)
  })

  it('never throws on what is cut short', () => {
    const file = fixture('lzw')
    for (let length = 4; length < file.length; length += 7) {
      expect(() => readDirectory(file.subarray(0, length))?.values(TIFF_TAG.bits)).not.toThrow()
    }
  })
})

it('cutouts of the fixtures are what they are named', async () => {
  expect((await pixels(fixture('alpha'))).equals(await open(cutout(24, 24)).removeAlpha().raw().toBuffer())).toBe(true)
})
