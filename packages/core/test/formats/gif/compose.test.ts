import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { composeGif, isClearUnseen, openGifFrames } from '../../../src/formats/gif/compose.ts'
import { decodeLzw } from '../../../src/formats/gif/lzw.ts'
import { compressedPixels, leavesClear, readGifFrames } from '../../../src/formats/gif/read.ts'
import { copyFrames, openAnimationFile } from '../../../src/encoding/frame-source.ts'
import { decodeFrames } from '../../../src/encoding/frames.ts'
import { photo, open } from '../../images.ts'
import { gifOf, randomNumbers } from './gifs.ts'

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

/** Frames anywhere on a canvas of which three fit into a piece. */
function longGif(seed: number, transparent: number | undefined): Buffer {
  const [width, height] = [1600, 1600]
  const random = randomNumbers(seed)
  const frames = Array.from({ length: 7 }, (_, index) => {
    const size = index === 0 ? { width, height: 24 } : { width: 20 + random(40), height: 10 + random(30) }
    const [left, top] = index === 0 ? [0, 0] : [random(60), random(40)]
    const indices = Array.from({ length: size.width * size.height }, () => random(4) * 60)
    return { ...size, left, top, indices, disposal: random(4), ...(transparent !== undefined && { transparent }) }
  })
  return gifOf(width, height, frames)
}

describe('openGifFrames', () => {
  it.each([1, 2, 3, 4, 5, 6])('shows a long GIF as sharp does: %i', async (seed) => {
    const data = longGif(seed, 60)
    const sharps = await openAnimationFile(data)
    const ours = openGifFrames(data, sharps)
    expect(ours).not.toBe(sharps)
    const expected = await decodeFrames(sharp(data, { animated: true, limitInputPixels: false }))
    expect((await copyFrames(ours)).data.equals(expected.data)).toBe(true)
    const first = await ours.frame(0)
    expect(Buffer.compare(first, expected.data.subarray(0, first.length))).toBe(0)
  })

  it('goes on with sharp where pixels are damaged', async () => {
    const data = longGif(1, 60)
    const { frames } = readGifFrames(data)
    data.fill(0xff, frames[5]!.start + 1, frames[5]!.start + 4)
    const asked: number[] = []
    const sharps = await openAnimationFile(data)
    const counted = { ...sharps, frame: (index: number) => (asked.push(index), Promise.resolve(Buffer.alloc(1))) }
    const ours = openGifFrames(data, counted)
    for (let index = 0; index < 7; index++) await ours.frame(index)
    expect(asked).toEqual([5, 6])
  })

  it('leaves short ones, and those whose clear places sharp fills, to others', async () => {
    for (const data of [load('spinner.gif'), longGif(1, undefined)]) {
      const sharps = await openAnimationFile(data)
      expect(openGifFrames(data, sharps)).toBe(sharps)
    }
  })
})
