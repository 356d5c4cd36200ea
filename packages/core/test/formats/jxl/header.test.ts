import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../../src/metadata/bytes.ts'
import { readJxlHeader } from '../../../src/formats/jxl/header.ts'
import { jxlFixture } from './fixture.ts'
import { BitWriter, sized, withChannels, writeEnum } from './write-header.ts'

const STILL = { depth: 8, hasAlpha: false, animated: false, cmyk: false, wide: false }

describe('readJxlHeader', () => {
  it.each([
    ['alpha', { ...STILL, width: 161, height: 107, hasAlpha: true }],
    ['anim', { ...STILL, width: 96, height: 64, hasAlpha: true, animated: true }],
    ['container', { ...STILL, width: 161, height: 107 }],
    ['gray', { ...STILL, width: 161, height: 107 }],
    ['jpeg-transcode', { ...STILL, width: 161, height: 107 }],
    ['rgb16-lossless', { ...STILL, width: 90, height: 60, depth: 16 }],
    ['turned', { ...STILL, width: 64, height: 96 }],
    ['1x999', { ...STILL, width: 1, height: 999 }],
    ['17x15', { ...STILL, width: 17, height: 15 }],
    ['1x1', { ...STILL, width: 1, height: 1 }],
    ['p3-icc', { ...STILL, width: 96, height: 64, wide: true }],
  ])('reads %s', (name, expected) => {
    expect(readJxlHeader(jxlFixture(name))).toEqual(expected)
  })

  it.each([
    [1, 1, 64, 64],
    [2, 1, 76, 64],
    [3, 1, 85, 64],
    [4, 1, 96, 64],
    [5, 1, 113, 64],
    [6, 1, 80, 64],
    [7, 1, 128, 64],
  ])('takes the width from ratio %d', (ratio, allDefault, width, height) => {
    // A multiple of eight: 64 = (7 + 1) · 8.
    const stream = new BitWriter().bits(1, 1).bits(5, 7).bits(3, ratio).bits(1, allDefault).codestream()
    expect(readJxlHeader(stream)).toEqual({ ...STILL, width, height })
  })

  it('reads sizes of up to 2^30 pixels a side', () => {
    const stream = sized(2 ** 30, 2 ** 30 - 7)
      .bits(1, 1)
      .codestream()
    expect(readJxlHeader(stream)).toMatchObject({ width: 2 ** 30, height: 2 ** 30 - 7 })
  })

  it('finds the kinds of named extra channels', () => {
    expect(read([])).toMatchObject({ hasAlpha: false, cmyk: false })
    expect(read([3, 2, 4])).toMatchObject({ hasAlpha: false, cmyk: true })
  })

  it.each([
    ['sRGB in full', [0, 1, 1, 13], false],
    ['grey of gamma 2.2', [1, 1, 'gamma'], false],
    ['XYB', [2], false],
    ['Display P3', [0, 1, 11, 13], true],
    ['a white point of its own', [0, 2], true],
    ['sRGB primaries with PQ', [0, 1, 1, 16], true],
    ['grey with HLG', [1, 1, 18], true],
    ['an ICC profile', ['icc'], true],
  ] as const)('tells whether colours go beyond sRGB: %s', (_, fields, wide) => {
    const writer = withChannels(sized(9, 9), []).bits(1, 0).bits(1, 0)
    writer.bits(1, fields[0] === 'icc' ? 1 : 0)
    for (const [index, field] of fields.entries()) {
      if (field === 'icc') continue
      // A bit before the transfer function says if it is a gamma.
      const isTransfer = index === (fields[0] === 1 ? 2 : 3)
      if (isTransfer) writer.bits(1, field === 'gamma' ? 1 : 0)
      if (field === 'gamma') writer.bits(24, 4_545_454)
      else writeEnum(writer, field)
    }
    expect(readJxlHeader(writer.codestream())).toMatchObject({ wide })
  })

  it('passes over a preview and reads animation and orientation', () => {
    const stream = sized(300, 200)
      // Extra fields: orientation 5, an intrinsic size, a preview of 17 × 17, an animation.
      .bits(1, 0)
      .bits(1, 1)
      .bits(3, 4)
      .bits(1, 1)
      .bits(1, 1)
      .bits(5, 0)
      .bits(3, 1)
      .bits(1, 1)
      .bits(1, 0)
      .bits(2, 0)
      .bits(6, 16)
      .bits(3, 1)
      .bits(1, 1)
      // 100 ticks a second, endless, without time codes; 10 bits; one default channel.
      .bits(2, 0)
      .bits(2, 0)
      .bits(2, 0)
      .bits(1, 0)
      .bits(1, 0)
      .bits(2, 1)
      .bits(1, 1)
      .bits(2, 1)
      .bits(1, 1)
      // In XYB; the default colours.
      .bits(1, 1)
      .bits(1, 1)
      .codestream()
    expect(readJxlHeader(stream)).toEqual({
      width: 200,
      height: 300,
      depth: 10,
      hasAlpha: true,
      animated: true,
      cmyk: false,
      wide: false,
    })
  })

  it('joins a codestream in parts, and refuses parts out of order', () => {
    const stream = sized(300, 200).bits(1, 1).codestream()
    const part = (index: number, data: Uint8Array): Uint8Array => box('jxlp', concatBytes([uint32(index), data]))
    const signature = box('JXL ', Uint8Array.of(0x0d, 0x0a, 0x87, 0x0a))
    const parts = [part(0, stream.subarray(0, 3)), part(0x80000001, stream.subarray(3))]
    expect(readJxlHeader(concatBytes([signature, ...parts]))).toMatchObject({ width: 300, height: 200 })
    expect(readJxlHeader(concatBytes([signature, ...parts.toReversed()]))).toBeUndefined()
    expect(readJxlHeader(concatBytes([signature, parts[0]!]))).toBeUndefined()
  })

  it('is undefined for what is no header', () => {
    const alpha = jxlFixture('alpha')
    for (let length = 0; length < 6; length++) expect(readJxlHeader(alpha.subarray(0, length))).toBeUndefined()
    expect(readJxlHeader(jxlFixture('container').subarray(0, 40))).toBeUndefined()
    expect(readJxlHeader(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))).toBeUndefined()
    // The header announces as many channels as possible, and nothing follows it.
    const endless = sized(9, 9).bits(6, 0).bits(2, 3).bits(12, 4095).codestream(0)
    expect(readJxlHeader(endless)).toBeUndefined()
  })
})

function read(kinds: readonly number[]): unknown {
  return readJxlHeader(withChannels(sized(9, 9), kinds).codestream())
}

function box(type: string, content: Uint8Array): Uint8Array {
  return concatBytes([uint32(content.length + 8), Buffer.from(type, 'latin1'), content])
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
