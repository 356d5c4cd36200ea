import { describe, expect, it } from 'vitest'
import { bmp } from '../../../src/formats/bmp/index.ts'
import { decodeBmp } from '../../../src/formats/bmp/decode.ts'
import { displayP3Profile } from '../../../src/colour/build-profile.ts'
import { detectType } from '../../../src/base/detect.ts'
import { writeBmp } from './write.ts'
import type { BmpOptions, Rgba } from './write.ts'

const COLOURS = [
  [0, 0, 0],
  [255, 255, 255],
  [200, 30, 60],
  [10, 90, 250],
] as const

/** Pixels of the first colours in turn, seven in a row, so that rows end inside of bytes and words. */
function picture(colours: number, alpha: (index: number) => number = () => 255): Rgba {
  const [width, height] = [7, 5]
  const data = new Uint8Array(width * height * 4)
  for (let index = 0; index < width * height; index++) {
    data.set([...COLOURS[(index + Math.floor(index / width)) % colours]!, alpha(index)], index * 4)
  }
  return { width, height, data }
}

/** Levels that a channel of so many bits can hold. */
const rounded = (data: Uint8Array, bits: readonly number[]): Uint8Array =>
  data.map((level, at) => {
    const most = 2 ** (bits[at % 4] ?? 8) - 1
    return Math.round((Math.round((level * most) / 255) * 255) / most)
  })

const whole = picture(4)
const soft = picture(4, (index) => index * 7)

const EXACT: Record<string, [Rgba, BmpOptions]> = {
  'two colours': [picture(2), { bits: 1, palette: COLOURS.slice(0, 2) }],
  'four colours in 2 bits': [whole, { bits: 2, palette: COLOURS }],
  '16 colours': [whole, { bits: 4, palette: COLOURS }],
  '256 colours': [whole, { bits: 8, palette: COLOURS }],
  '256 colours of OS/2': [whole, { bits: 8, header: 12, palette: COLOURS }],
  'the header of OS/2 2': [whole, { bits: 8, header: 64, palette: COLOURS }],
  '24 bits': [whole, { bits: 24 }],
  '24 bits from the top': [whole, { bits: 24, topDown: true }],
  '24 bits of OS/2': [whole, { bits: 24, header: 12 }],
  '32 bits': [whole, { bits: 32 }],
  '32 bits, whose fourth byte means nothing': [whole, { bits: 32, header: 108, masks: [0xff0000, 0xff00, 0xff] }],
  'masks behind the header': [whole, { bits: 32, compression: 3, masks: [0xff, 0xff00, 0xff0000] }],
  'a mask of alpha beside pixels without others': [soft, { bits: 32, header: 108, masks: [0, 0, 0, 0xff000000] }],
  'a mask of alpha': [soft, { bits: 32, header: 56, compression: 3, masks: [0xff0000, 0xff00, 0xff, 0xff000000] }],
  'a mask of alpha in the fifth version': [
    soft,
    { bits: 32, header: 124, compression: 3, masks: [0xff000000, 0xff0000, 0xff00, 0xff], topDown: true },
  ],
  'masks with alpha behind the header': [
    soft,
    { bits: 32, compression: 6, masks: [0xff0000, 0xff00, 0xff, 0xff000000] },
  ],
}

/** The numbers of the colours of decoded pixels. */
const shown = (data: Uint8Array): number[] =>
  Array.from({ length: data.length / 4 }, (_, at) => COLOURS.findIndex(([red]) => red === data[at * 4]))

describe('decodeBmp', () => {
  it.each(Object.entries(EXACT))('reads %s', async (_, [source, options]) => {
    const file = writeBmp(source, options)
    expect(detectType(file)).toBe('image/bmp')
    expect(await decodeBmp(file)).toEqual(source)
    expect(bmp.probe!(file)).toMatchObject({ width: 7, height: 5, hasAlpha: source === soft })
  })

  it.each<[string, BmpOptions, number[]]>([
    ['5 bits for each colour', { bits: 16 }, [5, 5, 5]],
    ['5, 6 and 5 bits', { bits: 16, compression: 3, masks: [0xf800, 0x7e0, 0x1f] }, [5, 6, 5]],
    ['4 bits with alpha', { bits: 16, header: 56, compression: 3, masks: [0xf00, 0xf0, 0xf, 0xf000] }, [4, 4, 4, 4]],
    ['10 bits', { bits: 32, compression: 3, masks: [0x3ff00000, 0xffc00, 0x3ff] }, [10, 10, 10]],
  ])('reads %s', async (_, options, bits) => {
    const source = bits.length === 4 ? soft : whole
    const { data } = await decodeBmp(writeBmp(source, options))
    expect(data).toEqual(rounded(source.data, bits))
  })

  it('shows a colour beyond the palette as black', async () => {
    const file = writeBmp(
      { width: 2, height: 1, data: new Uint8Array(8) },
      {
        bits: 8,
        palette: COLOURS,
        pixels: Uint8Array.of(1, 200, 0, 0),
      },
    )
    expect([...(await decodeBmp(file)).data]).toEqual([255, 255, 255, 255, 0, 0, 0, 255])
  })

  const square = { width: 4, height: 2, data: new Uint8Array(32) }
  it.each<[string, 'rle8' | 'rle4', number[], number[]]>([
    ['runs', 'rle8', [4, 2, 0, 0, 2, 1, 2, 3, 0, 1], [1, 1, 3, 3, 2, 2, 2, 2]],
    ['single pixels', 'rle8', [0, 3, 0, 1, 2, 0, 1, 3, 0, 0, 4, 1, 0, 1], [1, 1, 1, 1, 0, 1, 2, 3]],
    ['runs of two colours in turn', 'rle4', [4, 0x12, 0, 0, 3, 0x30, 1, 0x10, 0, 1], [3, 0, 3, 1, 1, 2, 1, 2]],
    ['single pixels of 4 bits', 'rle4', [0, 4, 0x01, 0x23, 0, 0, 4, 0x11, 0, 1], [1, 1, 1, 1, 0, 1, 2, 3]],
    ['pixels left out, which are black', 'rle8', [1, 1, 0, 2, 1, 1, 1, 2, 0, 1], [0, 0, 2, 0, 1, 0, 0, 0]],
    ['runs beyond the picture, which are cut', 'rle8', [9, 1, 0, 0, 9, 2, 0, 0, 9, 3, 0, 1], [2, 2, 2, 2, 1, 1, 1, 1]],
  ])('reads %s', async (_, coding, pixels, expected) => {
    const bits = coding === 'rle8' ? 8 : 4
    const options = {
      bits,
      compression: bits === 8 ? 1 : 2,
      palette: COLOURS,
      pixels: Uint8Array.from(pixels),
    } as const
    const file = writeBmp(square, options)
    expect(shown((await decodeBmp(file)).data)).toEqual(expected)
    expect(bmp.probe!(file)!.hasAlpha).toBe(false)
  })

  it('finds a profile inside of the file', () => {
    const profile = displayP3Profile()
    expect(Buffer.from(profile).equals(bmp.profile!(writeBmp(whole, { bits: 24, header: 124, profile }))!)).toBe(true)
    expect(bmp.profile!(writeBmp(whole, { bits: 24, header: 124 }))).toBeUndefined()
    expect(bmp.profile!(writeBmp(whole, { bits: 24 }))).toBeUndefined()
  })

  it('refuses what is cut short', async () => {
    const plain = writeBmp(whole, { bits: 24 })
    const runs = writeBmp(square, { bits: 8, compression: 1, palette: COLOURS, pixels: Uint8Array.of(4, 1, 0, 0, 4) })
    for (const file of [plain.subarray(0, -1), plain.subarray(0, 40), runs]) {
      await expect(decodeBmp(file)).rejects.toThrow(/too early|cannot be read/)
    }
  })

  it.each<[string, (file: Buffer) => void]>([
    ['no width', (file) => file.writeInt32LE(0, 18)],
    ['a width below 0', (file) => file.writeInt32LE(-7, 18)],
    ['no height', (file) => file.writeInt32LE(0, 22)],
    ['a header of another length', (file) => file.writeUInt32LE(41, 14)],
    ['a depth that there is not', (file) => file.writeUInt16LE(7, 28)],
    ['a compression that there is not', (file) => file.writeUInt32LE(9, 30)],
    ['runs of 24 bits', (file) => file.writeUInt32LE(1, 30)],
    ['pixels beyond the file', (file) => file.writeUInt32LE(100_000, 10)],
    ['pixels inside of the header', (file) => file.writeUInt32LE(20, 10)],
  ])('has no header for %s', (_, damage) => {
    const file = writeBmp(whole, { bits: 24 })
    damage(file)
    expect(bmp.probe!(file)).toBeUndefined()
  })

  it.each([
    [4, /holds a JPEG/],
    [5, /holds a PNG/],
  ])('leaves a file of compression %i as it is', (compression, note) => {
    expect(bmp.unsupported!(writeBmp(whole, { bits: 24, compression }), 1)?.note).toMatch(note)
  })
})
