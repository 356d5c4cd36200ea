import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { inflateSync } from 'node:zlib'
import { losslessCompressPng, PngRowFilter } from '@napi-rs/image'
import sharp, { type PngOptions } from 'sharp'
import { describe, expect, it } from 'vitest'
import { pngChunks } from '../../src/metadata/png-chunks.ts'
import { snapPng } from '../../src/encoding/snap-png.ts'
import { createGuards } from '../../src/quality/guards/index.ts'
import type { Pixels } from '../../src/quality/metric/ssimulacra2.ts'
import { fixture } from '../quality/metric/distortions.ts'

const ICONS = path.join(import.meta.dirname, '../fixtures/guards')

async function decoded(image: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(image)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height, channels: 4 }
}

function quantised({ data, width, height, channels }: Pixels, options: PngOptions): Promise<Uint8Array> {
  return sharp(data, { raw: { width, height, channels } })
    .png({ palette: true, effort: 7, ...options })
    .toBuffer()
}

function wrongAlphas(original: Pixels, result: Pixels): number {
  const guards = createGuards(original)
  try {
    return guards.measure(result).alpha
  } finally {
    guards.dispose()
  }
}

/** Returns the filter of the last row of a PNG with one byte per pixel. */
function filterOfLastRow(png: Uint8Array, { width, height }: Pixels): number | undefined {
  const compressed = [...pngChunks(png)]
    .filter(({ type }) => type === 'IDAT')
    .map(({ content, contentEnd }) => png.subarray(content, contentEnd))
  return inflateSync(Buffer.concat(compressed))[(width + 1) * (height - 1)]
}

/** A PNG's bytes but for its palette. */
const others = (file: Uint8Array): string =>
  Buffer.from(file)
    .toString('latin1')
    .replace(/....(PLTE|tRNS).*(?=....IDAT)/s, '')

/** Light grey over white at one corner, and white elsewhere: a cluster that libimagequant makes nearly white. */
function page(): Pixels {
  const data = new Uint8Array(120 * 80 * 3).fill(255)
  for (let i = 0; i < 1500; i++) data.fill(246 + (i % 8), 3 * i, 3 * i + 3)
  return { data, width: 120, height: 80, channels: 3 }
}

describe('snapPng', () => {
  it.each(['layers.png', 'announcement-24.png', 'backpack-24.png'])(
    'leaves no pixel of %s with a wrong alpha of 0 or 255',
    async (file) => {
      const source = await decoded(await readFile(path.join(ICONS, file)))
      let wrongBefore = 0
      for (const quality of [1, 10, 30, 60, 80]) {
        const png = await quantised(source, { quality, dither: 0 })
        const snapped = await snapPng(png, source)
        wrongBefore += wrongAlphas(source, await decoded(png))
        expect(wrongAlphas(source, await decoded(snapped))).toBe(0)
      }
      expect(wrongBefore).toBeGreaterThan(0)
    },
  )

  it.each([2, 4, 16, 250])('keeps flat white white among %i colours', async (colours) => {
    const source = page()
    const snapped = await decoded(await snapPng(await quantised(source, { colours, dither: 0 }), source))
    expect([...snapped.data.subarray(-4)]).toEqual([255, 255, 255, 255])
  })

  it('changes nothing but PLTE and tRNS where that is enough', async () => {
    const source = await decoded(await readFile(path.join(ICONS, 'layers.png')))
    const png = await quantised(source, { quality: 10, dither: 0 })
    const snapped = await snapPng(png, source)
    expect(snapped).not.toEqual(png)
    expect(others(snapped)).toBe(others(png))
  })

  it.each([2, 3, 5, 20])('writes pixels anew where an entry has no majority, among %i colours', async (colours) => {
    const source = await decoded(await readFile(path.join(ICONS, 'announcement-24.png')))
    const png = await quantised(source, { colours, dither: 0 })
    const snapped = await decoded(await snapPng(png, source))
    expect(wrongAlphas(source, snapped)).toBe(0)
    const before = await decoded(png)
    // Pixels between transparent and opaque stay in their entry.
    const values = new Map<number, Set<number>>()
    for (let i = 0; i < source.data.length; i += 4) {
      if (source.data[i + 3] === 0 || source.data[i + 3] === 255) continue
      const [entry, now] = [before, snapped].map(({ data }) => Buffer.from(data).readUInt32LE(i))
      values.set(entry!, (values.get(entry!) ?? new Set()).add(now!))
    }
    expect(Math.max(...[...values.values()].map(({ size }) => size))).toBe(1)
  })

  it.each([
    ['None', PngRowFilter.None, 0],
    ['Sub', PngRowFilter.Sub, 1],
    ['Up', PngRowFilter.Up, 2],
    ['Average', PngRowFilter.Average, 3],
    ['Paeth', PngRowFilter.Paeth, 4],
  ])('reads rows of the filter %s', async (_, filter, byte) => {
    const source = await fixture('coffee.png')
    const png = await quantised(source, { colours: 256 })
    const filtered = await losslessCompressPng(png, { filter: [filter], force: true, colorTypeReduction: false })
    expect(filterOfLastRow(filtered, source)).toBe(byte)
    expect(await decoded(await snapPng(filtered, source))).toEqual(await decoded(await snapPng(png, source)))
  })

  it('gives back what it cannot repair: true colour, interlaced, of another size, no PNG', async () => {
    const source = page()
    const { data, ...raw } = source
    const trueColour = await sharp(data, { raw }).png().toBuffer()
    const interlaced = await quantised(source, { colours: 8, progressive: true })
    for (const file of [trueColour, interlaced, Buffer.from('GIF89a')]) expect(await snapPng(file, source)).toBe(file)
    const png = await quantised(source, { colours: 8 })
    expect(await snapPng(png, { ...source, width: 80, height: 120 })).toBe(png)
  })
})
