import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { encodeIndexedPng } from '../../src/encoding/indexed-png.ts'
import { pngChunks } from '../../src/metadata/png-chunks.ts'

/** Every third entry is translucent. */
function pictureOf(colours: number) {
  const [width, height] = [37, 23]
  const palette = Uint8Array.from({ length: 4 * colours }, (_, at) => {
    const entry = at >> 2
    return at % 4 === 3 ? (entry % 3 === 1 ? 100 + (entry % 90) : 255) : (entry * 7 + (at % 4) * 50) % 256
  })
  const indices = Uint8Array.from({ length: width * height }, (_, pixel) => (pixel * 5) % colours)
  return { indices, palette, width, height }
}

describe('encodeIndexedPng', () => {
  it.each([1, 2, 3, 4, 16, 17, 256])('writes %i colours as they are', async (colours) => {
    const { indices, palette, width, height } = pictureOf(colours)
    const png = encodeIndexedPng({ indices, palette }, { width, height }, 'draft')
    const decoded = await sharp(png).ensureAlpha().raw().toBuffer()
    const expected = [...indices].flatMap((entry) => [...palette.subarray(4 * entry, 4 * entry + 4)])
    expect([...decoded]).toEqual(expected)
  })

  it.each([
    [2, 1],
    [4, 2],
    [16, 4],
    [17, 8],
  ])('takes for %i colours %i bits per pixel', (colours, bits) => {
    const { width, height, ...indexed } = pictureOf(colours)
    expect(encodeIndexedPng(indexed, { width, height }, 'draft')[24]).toBe(bits)
  })

  it('has no longer list of alphas than entries that are not opaque, and the one of the edges', () => {
    const { width, height, ...indexed } = pictureOf(30)
    const png = encodeIndexedPng(indexed, { width, height }, 'draft')
    const trns = [...pngChunks(png)].find(({ type }) => type === 'tRNS')!
    expect(trns.contentEnd - trns.content).toBe(11)
  })

  it('begins with the colour that is most frequent at the edges, and has none twice', async () => {
    const [width, height] = [8, 4]
    const palette = Uint8Array.of(1, 2, 3, 255, 9, 9, 9, 255, 7, 7, 7, 255, 1, 2, 3, 255, 9, 9, 9, 255)
    const indices = Uint8Array.from({ length: width * height }, (_, at) => [4, 0, 0, 3, 3, 0, 2, 1][at % width]!)
    const png = encodeIndexedPng({ indices, palette }, { width, height }, 'draft')
    const plte = [...pngChunks(png)].find(({ type }) => type === 'PLTE')!
    expect([...png.subarray(plte.content, plte.contentEnd)]).toEqual([9, 9, 9, 1, 2, 3, 7, 7, 7])
    const decoded = await sharp(png).ensureAlpha().raw().toBuffer()
    expect([...decoded]).toEqual([...indices].flatMap((entry) => [...palette.subarray(4 * entry, 4 * entry + 4)]))
  })
})
