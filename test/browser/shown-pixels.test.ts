import { crc32 } from 'node:zlib'
import { optimize } from '@pixpress/core'
import { graphic, photo, requireTool } from '@pixpress/testkit'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReference } from '../../packages/core/src/quality/metric/ssimulacra2.ts'
import { openEmptyPage } from './chromium.ts'

const chromium = requireTool('chromium')
let opened: Awaited<ReturnType<typeof openEmptyPage>> | undefined
let page: Page

beforeAll(async () => {
  if (chromium === undefined) return
  opened = await openEmptyPage(chromium)
  page = opened.page
})

afterAll(() => opened?.close())

/** RGB of an image as Chromium shows it. */
async function shown(data: Uint8Array, type: string): Promise<Buffer> {
  const rgba = await page.evaluate(
    async ([base64, mediaType]) => {
      const image = Object.assign(new Image(), { src: `data:${mediaType};base64,${base64}` })
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), {
        width: image.naturalWidth,
        height: image.naturalHeight,
      })
      const context = canvas.getContext('2d')!
      context.drawImage(image, 0, 0)
      return [...context.getImageData(0, 0, canvas.width, canvas.height).data]
    },
    [Buffer.from(data).toString('base64'), type] as const,
  )
  return Buffer.from(rgba.filter((_, index) => index % 4 !== 3))
}

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(Math.round(value * 100_000), index * 4)
  return bytes
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** Signature and `IHDR`. */
const HEAD = 33

const SRGB = chunk('cHRM', words(0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06))
const NARROW = chunk('cHRM', words(0.3127, 0.329, 0.6, 0.34, 0.32, 0.55, 0.16, 0.08))

describe.skipIf(chromium === undefined)('a PNG with gamma and chromaticities in Chromium', () => {
  it.each([
    ['gAMA of sRGB', [chunk('gAMA', words(0.45455))]],
    ['gAMA near that of sRGB', [chunk('gAMA', words(0.47))]],
    ['gAMA of linear light', [chunk('gAMA', words(1))]],
    ['gAMA far from all screens', [chunk('gAMA', words(0.16))]],
    ['gAMA of sRGB and its cHRM', [chunk('gAMA', words(0.45455)), SRGB]],
    ['gAMA and a narrow cHRM', [chunk('gAMA', words(0.55)), NARROW]],
    ['cHRM alone', [NARROW]],
  ])('looks the same as a WebP without loss: %s', async (_, chunks) => {
    const plain = await graphic(64, 48).png()
    const png = Buffer.concat([plain.subarray(0, HEAD), ...chunks, plain.subarray(HEAD)])
    const { data, info } = await optimize(png, { convert: { type: 'image/webp' }, lossless: true })
    const [before, after] = [await shown(png, 'image/png'), await shown(data, info.type)]
    // Browsers compute with tables, which are at most one level off.
    expect(Math.max(...before.map((value, index) => Math.abs(value - after[index]!)))).toBeLessThanOrEqual(1)
  })
})

describe.skipIf(chromium === undefined)('an AVIF in Chromium', () => {
  it.each([
    ['photograph', photo(240, 160), 80],
    ['photograph', photo(200, 200, 5), 60],
    ['drawing', graphic(200, 120), 80],
  ])('has the score that is claimed: a %s at %#', async (_, drawn, quality) => {
    const source = await drawn.png()
    const { data, score = 100 } = await optimize(source, { convert: { type: 'image/avif' }, quality })
    const original = await sharp(source).raw().toBuffer({ resolveWithObject: true })
    const picture = {
      data: original.data,
      width: original.info.width,
      height: original.info.height,
      channels: 3,
    } as const
    const reference = createReference(picture)
    expect(reference.score({ ...picture, data: await shown(data, 'image/avif') })).toBeGreaterThan(score - 0.1)
    reference.dispose()
  })
})
