import { readFile } from 'node:fs/promises'
import { losslessCompressPng, PngRowFilter } from '@napi-rs/image'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createNearLossless } from '../../src/encoding/near-lossless.ts'
import type { Samples } from '../../src/encoding/near-lossless.ts'
import { averageRows, encodeRows, hasSteps, isNearLossless } from '../../src/encoding/truecolour-png.ts'
import { createPicture } from '../../src/encoding/picture.ts'

const fixture = (name: string): Promise<Buffer> =>
  readFile(new URL(`../quality/metric/fixtures/${name}`, import.meta.url))

async function samplesOf(source: Uint8Array): Promise<Samples> {
  const { data, info } = await sharp(source)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return createPicture({ data, width: info.width, height: info.height, channels: 4 })
}

async function nearLosslessPng(samples: Samples, step: number): Promise<Uint8Array> {
  const engine = createNearLossless(samples)!
  const rows = averageRows({ ...samples, data: engine.write(step) })
  engine.dispose()
  return encodeRows(rows, samples, 'draft')
}

describe('a PNG of rows in filter Average', () => {
  it.each([1, 2, 3, 4] as const)('shows the samples that it was made of, of %i channels', async (channels) => {
    const [width, height] = [37, 21]
    const data = Uint8Array.from({ length: width * height * channels }, (_, at) => (at * at * 31) >> 3)
    const samples = { data, width, height, channels }
    const png = encodeRows(averageRows(samples), samples, 'draft')
    expect(await sharp(png).metadata()).toMatchObject({ width, height, channels })
    const shown = await sharp(png).ensureAlpha().toColourspace('srgb').raw().toBuffer()
    const [colours, alpha] = [channels < 3 ? [0, 0, 0] : [0, 1, 2], channels % 2 === 0 ? [channels - 1] : []]
    const expected = Array.from({ length: width * height }, (_, pixel) => [
      ...colours.map((channel) => data[pixel * channels + channel]!),
      ...(alpha.length === 0 ? [255] : alpha.map((channel) => data[pixel * channels + channel]!)),
    ])
    expect([...shown]).toEqual(expected.flat())
  })
})

describe('isNearLossless', () => {
  it.each([6.2, 7.5, 11, 14.2, 20, 33])('knows near-lossless photographs, of a step of %f', async (step) => {
    for (const name of ['coffee.png', 'chelsea.png']) {
      const png = await nearLosslessPng(await samplesOf(await fixture(name)), step)
      expect([name, isNearLossless(png)]).toEqual([name, true])
    }
  })

  it('knows them when they were compressed well', async () => {
    const samples = await samplesOf(await fixture('coffee.png'))
    const png = await nearLosslessPng(samples, 14)
    const engine = createNearLossless(samples)!
    const rows = averageRows({ ...samples, data: engine.write(14) })
    engine.dispose()
    for (const packing of ['quick', 'thorough'] as const) {
      expect([packing, isNearLossless(encodeRows(rows, samples, packing))]).toEqual([packing, true])
    }
    const compressed = await losslessCompressPng(png, { strip: true, filter: [PngRowFilter.Average] })
    expect(compressed.length).toBeLessThan(png.length)
    expect(isNearLossless(compressed)).toBe(true)
  })

  it.each(['coffee.png', 'chelsea.png', 'docs.png', 'coffee-q20.jpg', 'chelsea-q50.jpg', 'docs-q50.jpg'])(
    'takes %s, in the same filter but without loss, for what it is',
    async (name) => {
      const samples = await samplesOf(await fixture(name))
      const rows = averageRows(samples)
      expect(hasSteps(rows, samples.width, samples.channels)).toBe(false)
      expect(isNearLossless(encodeRows(rows, samples, 'draft'))).toBe(false)
    },
  )

  it('takes no other filter for it', async () => {
    const png = await nearLosslessPng(await samplesOf(await fixture('coffee.png')), 14)
    const other = await losslessCompressPng(png, { filter: [PngRowFilter.Paeth], force: true })
    expect(isNearLossless(other)).toBe(false)
  })

  it('takes damaged files and what is no PNG for none', async () => {
    const png = await nearLosslessPng(await samplesOf(await fixture('chelsea.png')), 14)
    const damaged = Uint8Array.from(png)
    damaged.fill(0xff, 45, 300)
    expect(isNearLossless(damaged)).toBe(false)
    expect(isNearLossless(png.subarray(0, 40))).toBe(false)
    expect(isNearLossless(await fixture('coffee-q50.jpg'))).toBe(false)
  })
})
