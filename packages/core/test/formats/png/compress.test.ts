import { readFile } from 'node:fs/promises'
import { losslessCompressPng } from '@napi-rs/image'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { searchPalettes } from '../../../src/encoding/palette.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { searchTruecolour } from '../../../src/encoding/truecolour.ts'
import { isNearLossless } from '../../../src/encoding/truecolour-png.ts'
import { compressPalette, compressSource, compressTruecolour } from '../../../src/formats/png/compress.ts'
import { createScorer } from '../../../src/work/scorer.ts'

/** The picture, or its upper left part. */
async function open(path: string, part?: { readonly width: number; readonly height: number }): Promise<Picture> {
  const source = sharp(await readFile(new URL(path, import.meta.url)))
  if (part !== undefined) source.extract({ left: 0, top: 0, ...part })
  const { data, info } = await source
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return createPicture({ data, width: info.width, height: info.height, channels: 4 })
}

const METRIC = '../../quality/metric/fixtures'
const PROPERTIES = '../../fixtures/properties'

async function paletteOf(picture: Picture): Promise<Uint8Array> {
  const scorer = createScorer(picture)
  const [version] = await searchPalettes({ picture, scorer, target: 60, effort: 'default' })
  scorer.dispose()
  return version!.png
}

async function truecolourOf(picture: Picture): Promise<Uint8Array> {
  const scorer = createScorer(picture)
  const found = await searchTruecolour({ picture, scorer, target: 80, effort: 'default', mostBytes: Infinity })
  scorer.dispose()
  return found!.png
}

const pixelsOf = (png: Uint8Array): Promise<Buffer> => sharp(png).ensureAlpha().raw().toBuffer()

describe('compressPalette', () => {
  it.each([
    { name: 'docs', folder: METRIC },
    { name: 'coffee', folder: METRIC },
    // Of the whole, every filter takes 17 s.
    { name: 'bar-0', folder: PROPERTIES, part: { width: 450, height: 250 } },
  ])(
    'takes, of $name, at most 2 percent more bytes than with every filter tried, and fewer with more effort',
    async ({ name, folder, part }) => {
      const picture = await open(`${folder}/${name}.png`, part)
      const png = await paletteOf(picture)
      const tried = await losslessCompressPng(png, { strip: true })
      const [fast, usual, most] = await Promise.all(
        (['fast', 'default', 'max'] as const).map((effort) => compressPalette(png, picture, effort)),
      )
      expect(usual!.length).toBeLessThanOrEqual(1.02 * tried.length)
      expect(most!.length).toBeLessThanOrEqual(usual!.length)
      expect(fast!.length).toBeGreaterThanOrEqual(most!.length)
      for (const each of [fast, usual, most]) expect(await pixelsOf(each!)).toEqual(await pixelsOf(png))
    },
  )
})

describe('compressTruecolour', () => {
  it('keeps what tells that it is near-lossless, in about the bytes of every filter tried', async () => {
    const png = await truecolourOf(await open(`${METRIC}/coffee.png`))
    const tried = await losslessCompressPng(png, { strip: true })
    for (const effort of ['default', 'max'] as const) {
      const compressed = await compressTruecolour(png, { strip: true, effort })
      expect(compressed.length).toBeLessThanOrEqual(1.02 * tried.length)
      expect(isNearLossless(compressed)).toBe(true)
      expect(await pixelsOf(compressed)).toEqual(await pixelsOf(png))
    }
    expect(await compressTruecolour(png, { strip: true, effort: 'fast' })).toBe(png)
  })
})

describe('compressSource', () => {
  it('finds nothing to gain in what it compressed before', async () => {
    const picture = await open(`${METRIC}/coffee.png`)
    for (const png of [await paletteOf(picture), await truecolourOf(picture)]) {
      const settings = { strip: false, effort: 'default' } as const
      const first = await compressSource(png, picture, settings)
      expect(first.length).toBeLessThan(png.length)
      expect((await compressSource(first, picture, settings)).length).toBe(first.length)
    }
  })
})
