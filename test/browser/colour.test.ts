import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { optimize } from '@pixpress/core'
import { photo, photoInHdr, requireTool } from '@pixpress/testkit'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildProfile } from '../../packages/core/src/colour/build-profile.ts'
import { avifInDisplayP3 } from '../../packages/core/src/formats/avif/colour.ts'
import { createReference } from '../../packages/core/src/quality/metric/ssimulacra2.ts'
import type { Pixels } from '../../packages/core/src/quality/metric/ssimulacra2.ts'
import { chunk, iccp, withChunks } from '../../packages/core/test/colour/png-chunks.ts'
import { lightnessProfile, tableProfile } from '../../packages/core/test/colour/profiles.ts'
import { ADOBE_RGB, PROPHOTO } from '../../packages/core/test/colour/spaces.ts'
import { openEmptyPage } from './chromium.ts'

const chromium = requireTool('chromium')
let opened: Awaited<ReturnType<typeof openEmptyPage>> | undefined
let page: Page
let hasJxl = false

beforeAll(async () => {
  if (chromium === undefined) return
  opened = await openEmptyPage(chromium)
  page = opened.page
  hasJxl = await showsJxl()
})

afterAll(() => opened?.close())

/** Returns the pixels that Chromium shows of an image on a screen of a colour space. */
async function shown(data: Uint8Array, type: string, space: 'srgb' | 'display-p3'): Promise<Pixels> {
  const { url, width, height } = await page.evaluate(
    async ([base64, mediaType, colorSpace]) => {
      const image = Object.assign(new Image(), { src: `data:${mediaType};base64,${base64}` })
      await image.decode()
      const { naturalWidth, naturalHeight } = image
      const canvas = Object.assign(document.createElement('canvas'), { width: naturalWidth, height: naturalHeight })
      const context = canvas.getContext('2d', { colorSpace })!
      context.drawImage(image, 0, 0)
      const { data: samples } = context.getImageData(0, 0, naturalWidth, naturalHeight, { colorSpace })
      const reader = new FileReader()
      const read = new Promise((resolve) => reader.addEventListener('load', resolve))
      reader.readAsDataURL(new Blob([samples]))
      await read
      return { url: reader.result as string, width: naturalWidth, height: naturalHeight }
    },
    [Buffer.from(data).toString('base64'), type, space] as const,
  )
  return { data: Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'), width, height, channels: 4 }
}

const drawn = (): ReturnType<typeof photo> => photo(144, 96)
const plain = (): Promise<Buffer> => drawn().png()
const opened8 = async (): Promise<ReturnType<typeof sharp>> => sharp(await plain())
const deep = async (): Promise<Buffer> => {
  const bytes = await (await opened8()).raw().toBuffer()
  const words = Uint16Array.from(bytes, (byte, index) => Math.min(65_535, byte * 257 + ((index * 89) % 256)))
  return sharp(words, { raw: { width: 144, height: 96, channels: 3 } })
    .toColourspace('rgb16')
    .png()
    .toBuffer()
}
const grey = async (): Promise<Buffer> => (await opened8()).toColourspace('b-w').png().toBuffer()

/** L* is the mean of the samples, a* and b* lean to red and yellow. */
const scanner = tableProfile('RGB ', ([red = 0, green = 0, blue = 0]) => [
  21_845 * (red + green + blue),
  32_896 + 9000 * (red - green),
  32_896 + 9000 * (green - blue),
])

const PHONE = path.resolve(import.meta.dirname, '../fixtures/site/src/images/phone.jpeg')

/** One source of each kind that is converted in a way of its own. */
const SOURCES: readonly (readonly [kind: string, make: () => Promise<Uint8Array>])[] = [
  ['a JPEG in Display P3', async () => (await opened8()).withIccProfile('p3').jpeg({ quality: 96 }).toBuffer()],
  ["a phone's JPEG whose colours lie just beyond sRGB", () => readFile(PHONE)],
  // Its map is for brighter screens, and stays beside the picture.
  ['a JPEG with a gain map', () => photoInHdr(144, 96)],
  ['a WebP in Display P3', async () => (await opened8()).withIccProfile('p3').webp({ quality: 96 }).toBuffer()],
  ['a saturated PNG in Adobe RGB', async () => withChunks(await plain(), iccp(buildProfile(ADOBE_RGB, 'x')))],
  ['a saturated PNG in ProPhoto', async () => withChunks(await plain(), iccp(buildProfile(PROPHOTO, 'x')))],
  ['a PNG of 16 bits', deep],
  ['a PNG of 16 bits in ProPhoto', async () => withChunks(await deep(), iccp(buildProfile(PROPHOTO, 'x')))],
  ['a PNG with a profile of tables', async () => withChunks(await plain(), iccp(scanner))],
  ['a grey PNG with a profile of lightness', async () => withChunks(await grey(), iccp(lightnessProfile()))],
  ['a grey PNG with a profile of RGB', async () => withChunks(await grey(), iccp(buildProfile(PROPHOTO, 'x')))],
  [
    'a PNG with the curve of television',
    async () => withChunks(await plain(), chunk('cICP', Buffer.from([1, 1, 0, 1]))),
  ],
  ['a PNG in the colours of BT.2020', async () => withChunks(await plain(), chunk('cICP', Buffer.from([9, 13, 0, 1])))],
  ['a CMYK JPEG', async () => (await opened8()).toColourspace('cmyk').jpeg({ quality: 96 }).toBuffer()],
  [
    'a CMYK JPEG with a profile',
    async () => (await opened8()).toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 96 }).toBuffer(),
  ],
  [
    'an AVIF in Display P3',
    async () => avifInDisplayP3(await (await opened8()).avif({ quality: 92, effort: 0 }).toBuffer()),
  ],
  [
    'an AVIF of 10 bits',
    async () => (await opened8()).avif({ quality: 92, effort: 0, bitdepth: 10, chromaSubsampling: '4:4:4' }).toBuffer(),
  ],
]

/** Tells whether this Chromium shows JPEG XL, which it does from version 155 on. */
async function showsJxl(): Promise<boolean> {
  const { data } = await optimize(await photo(16, 16).png(), { convert: { type: 'image/jxl' }, effort: 'fast' })
  return shown(data, 'image/jxl', 'srgb').then(
    () => true,
    () => false,
  )
}

const PROMISE = 80
/** Browsers, whose arithmetic has fewer bits, may differ by this. */
const SLACK = 0.5

describe.skipIf(chromium === undefined)('what Chromium shows of a result', () => {
  it.each(SOURCES)('keeps the promise against what it shows of %s', async (_, make) => {
    const source = await make()
    const { type } = (await optimize(source, { effort: 'fast' })).input
    const references = {
      srgb: createReference(await shown(source, type, 'srgb')),
      'display-p3': createReference(await shown(source, type, 'display-p3')),
    }
    for (const [effort, types] of [
      ['default', [type, 'image/webp', 'image/avif', ...(hasJxl ? ['image/jxl' as const] : [])]],
      // Its own ways of searching are the same for all types.
      ['fast', [type]],
    ] as const) {
      for (const wanted of types) {
        const convert = wanted === type ? {} : { convert: { type: wanted as 'image/webp' } }
        const { data, info } = await optimize(source, { ...convert, quality: PROMISE, effort })
        // The encoder of JPEG XL knows nothing but sRGB.
        const spaces = info.type === 'image/jxl' ? (['srgb'] as const) : (['srgb', 'display-p3'] as const)
        for (const space of spaces) {
          const score = references[space].score(await shown(data, info.type, space))
          expect(score, `${info.type} at ${effort} in ${space}`).toBeGreaterThanOrEqual(PROMISE - SLACK)
        }
      }
    }
    for (const reference of Object.values(references)) reference.dispose()
  })
})
