import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { losslessCompressPng } from '@napi-rs/image'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { searchPalettes } from '../../../src/encoding/palette.ts'
import type { PaletteVersion } from '../../../src/encoding/palette.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import type { Picture } from '../../../src/encoding/picture.ts'
import { searchTruecolour } from '../../../src/encoding/truecolour.ts'
import type { TruecolourVersion } from '../../../src/encoding/truecolour.ts'
import { isNearLossless } from '../../../src/encoding/truecolour-png.ts'
import { compressPalette, compressSource, compressTruecolour } from '../../../src/formats/png/compress.ts'
import { concatBytes } from '../../../src/metadata/bytes.ts'
import { encodePngChunk, PNG_SIGNATURE } from '../../../src/metadata/png-chunks.ts'
import { countWork } from '../../../src/base/counters.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'

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

function paletteOf(picture: Picture): PaletteVersion {
  const scorer = createScorer(picture)
  const [version] = searchPalettes({ picture, scorer, target: 60, effort: 'default' })
  scorer.dispose()
  return version!
}

function truecolourOf(picture: Picture): TruecolourVersion {
  const scorer = createScorer(picture)
  const found = searchTruecolour({ picture, scorer, target: 80, effort: 'default', mostBytes: Infinity })
  scorer.dispose()
  return found!
}

const pixelsOf = (png: Uint8Array): Promise<Buffer> => sharp(png).ensureAlpha().raw().toBuffer()

describe('compressPalette', () => {
  it.each([
    { name: 'docs', folder: METRIC },
    { name: 'coffee', folder: METRIC },
    // The whole picture takes 17 s with every filter.
    { name: 'bar-0', folder: PROPERTIES, part: { width: 450, height: 250 } },
  ])(
    'takes, of $name, at most 4 percent more bytes than oxipng with every filter, and fewer with more effort',
    async ({ name, folder, part }) => {
      const picture = await open(`${folder}/${name}.png`, part)
      const version = paletteOf(picture)
      const tried = await losslessCompressPng(version.png, { strip: true })
      const [fast, usual, most] = await Promise.all(
        (['fast', 'default', 'max'] as const).map((effort) => compressPalette(version, picture, effort)),
      )
      expect(usual!.length).toBeLessThanOrEqual(1.04 * tried.length)
      expect(most!.length).toBeLessThanOrEqual(usual!.length)
      expect(fast!.length).toBeGreaterThanOrEqual(most!.length)
      expect(fast!.length).toBeLessThanOrEqual(1.35 * usual!.length)
      for (const each of [fast, usual, most]) expect(await pixelsOf(each!)).toEqual(await pixelsOf(version.png))
    },
  )
})

describe('compressTruecolour', () => {
  it('keeps what tells that it is near-lossless, in about the bytes of oxipng with every filter', async () => {
    const picture = await open(`${METRIC}/coffee.png`)
    const version = truecolourOf(picture)
    const tried = await losslessCompressPng(version.draft(), { strip: true })
    for (const [effort, share] of [
      ['fast', 1.1],
      ['default', 1.05],
      ['max', 1.02],
    ] as const) {
      const compressed = (await compressTruecolour(version, picture, effort))!
      expect(compressed.length).toBeLessThanOrEqual(share * tried.length)
      expect(isNearLossless(compressed)).toBe(true)
      expect(await pixelsOf(compressed)).toEqual(await pixelsOf(version.draft()))
    }
  })
})

describe('compressSource', () => {
  it.each(['fast', 'default'] as const)(
    'finds nothing to gain in what was compressed with effort %s',
    async (effort) => {
      for (const name of ['coffee', 'docs']) {
        const picture = await open(`${METRIC}/${name}.png`)
        const settings = { strip: false, effort } as const
        const palette = await compressPalette(paletteOf(picture), picture, effort)
        const first = await compressSource(palette, picture, settings)
        expect(first.length).toBeGreaterThan(0.98 * palette.length)
        expect((await compressSource(first, picture, settings)).length).toBe(first.length)
      }
      const coffee = await open(`${METRIC}/coffee.png`)
      const truecolour = (await compressTruecolour(truecolourOf(coffee), coffee, effort))!
      expect(await compressSource(truecolour, coffee, { strip: false, effort })).toBe(truecolour)
    },
  )

  it('compresses palettes and near-lossless pixels of others', async () => {
    const picture = await open(`${METRIC}/coffee.png`)
    for (const png of [paletteOf(picture).png, truecolourOf(picture).draft()]) {
      const compressed = await compressSource(png, picture, { strip: false, effort: 'default' })
      expect(compressed.length).toBeLessThan(png.length)
    }
  })

  it('does not unpack more rows than a picture has', async () => {
    const header = new DataView(new ArrayBuffer(13))
    header.setUint32(0, 200)
    header.setUint32(4, 200)
    header.setUint8(8, 8)
    header.setUint8(9, 3)
    // Rows of the picture, and 40 MB after them.
    const rows = deflateSync(Buffer.alloc(201 * 200 + 40_000_000))
    const bomb = concatBytes([
      Buffer.from(PNG_SIGNATURE, 'latin1'),
      encodePngChunk('IHDR', [new Uint8Array(header.buffer)]),
      encodePngChunk('PLTE', [Uint8Array.of(1, 2, 3, 4, 5, 6)]),
      encodePngChunk('IDAT', [rows]),
      encodePngChunk('IEND', []),
    ])
    const size = { width: 200, height: 200, graphic: true }
    const { work } = await countWork(() =>
      compressSource(bomb, size, { strip: true, effort: 'fast' }).catch(() => bomb),
    )
    // Only oxipng packs the file: it reads the picture's rows alone.
    expect(work.packs).toBe(1)
  })
})
