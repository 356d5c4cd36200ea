import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { composeGif, isClearUnseen } from '../../../src/formats/gif/compose.ts'
import { decodeLzw } from '../../../src/formats/gif/lzw.ts'
import { compressedPixels, leavesClear, readGifFrames } from '../../../src/formats/gif/read.ts'
import { photo, open } from '../../images.ts'

const load = (name: string): Buffer => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url))

describe('decodeLzw', () => {
  it.each([2, 4, 16, 64, 256])('gives the colours of a picture of %i that sharp wrote', async (colours) => {
    const gif = await open(photo(130, 90)).gif({ colours, dither: 1 }).toBuffer()
    const [frame] = readGifFrames(gif).frames
    const indices = decodeLzw(compressedPixels(gif, frame!), frame!.minimum, 130 * 90)
    const expected = await sharp(gif).removeAlpha().raw().toBuffer()
    const shown = Buffer.from([...indices].flatMap((index) => [...frame!.palette.subarray(index * 3, index * 3 + 3)]))
    expect(shown.equals(expected)).toBe(true)
  })

  it('refuses what is truncated, and codes that are not defined', () => {
    expect(() => decodeLzw(Uint8Array.of(0x84), 2, 10)).toThrow('truncated')
    expect(() => decodeLzw(Uint8Array.of(0b11_111_100, 0xff), 2, 10)).toThrow('undefined code')
    expect(() => decodeLzw(Uint8Array.of(0b00_101_100, 0), 2, 10)).toThrow('ends early')
    expect(() => decodeLzw(Uint8Array.of(1), 12, 10)).toThrow('12 bits')
  })
})

describe('composeGif', () => {
  it('is for animations whose clear places sharp does not see', () => {
    expect(['disp1', 'disp2', 'disp3', 'dups'].map((name) => isClearUnseen(load(`meaning/${name}.gif`)))).toEqual([
      false, true, true, false,
    ]) // prettier-ignore
    expect(leavesClear(readGifFrames(load('meaning/disp1.gif')))).toBe(false)
    expect(isClearUnseen(load('spinner.gif'))).toBe(false)
  })

  it('refuses damaged pixels', async () => {
    const source = load('meaning/disp2.gif')
    const { frames } = readGifFrames(source)
    const damaged = Buffer.from(source)
    damaged.fill(0xff, frames[1]!.start + 1, frames[1]!.start + 4)
    await expect(composeGif(damaged)).rejects.toThrow(/^a frame /)
  })
})
