import { readFile } from 'node:fs/promises'
import { photo } from '@pixpress/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { repeatsLittle, takesMoreLosslessly } from '../../../src/formats/png/photograph.ts'

async function pictureOf(source: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(source).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return createPicture({ data, width: info.width, height: info.height, channels: 4 })
}

const fixture = async (name: string): Promise<Picture> =>
  pictureOf(await readFile(new URL(`../../quality/metric/fixtures/${name}.png`, import.meta.url)))

describe('repeatsLittle', () => {
  it('tells photographs from drawings', async () => {
    const told = await Promise.all(
      ['coffee', 'chelsea', 'docs'].map(async (name) => repeatsLittle(await fixture(name))),
    )
    expect(told).toEqual([true, true, false])
  })

  it('sees alpha alone change', () => {
    const side = 16
    const data = Buffer.from(Array.from({ length: side * side }, (_, at) => [9, 9, 9, at % 251]).flat())
    expect(repeatsLittle(createPicture({ data, width: side, height: side, channels: 4 }))).toBe(true)
  })
})

describe('takesMoreLosslessly', () => {
  it('agrees with PNGs of the whole picture, whether bands tell or not', async () => {
    const pictures = [await fixture('coffee'), await fixture('docs'), await pictureOf(await photo(64, 48).png())]
    for (const picture of pictures) {
      const { data, width, height, channels } = picture
      const sizes = [true, false].map(async (adaptiveFiltering) => {
        const image = sharp(data, { raw: { width, height, channels } })
        return (await image.png({ compressionLevel: 4, adaptiveFiltering }).toBuffer()).length
      })
      const least = Math.min(...(await Promise.all(sizes)))
      expect(await takesMoreLosslessly(picture, least / 4)).toBe(true)
      expect(await takesMoreLosslessly(picture, 0.95 * least)).toBe(true)
      expect(await takesMoreLosslessly(picture, least + 1)).toBe(false)
    }
  })
})
