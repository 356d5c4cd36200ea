import { readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { optimize } from '../../src/index.ts'
import type { Effort, ImageType } from '../../src/base/types.ts'
import { graphic, open, photo } from '../images.ts'
import { canDecode, expectPromise } from './promises.ts'

const FIXTURES = path.join(import.meta.dirname, '../fixtures')
const GENERATIONS = 5

/** Files as other programs write them, with more bytes than a promise of 80 needs. */
const WRITTEN: Readonly<Record<string, { type: ImageType; write: (picture: Sharp) => Sharp }>> = {
  'a JPEG': { type: 'image/jpeg', write: (picture) => picture.jpeg({ quality: 97, chromaSubsampling: '4:4:4' }) },
  'a JPEG of mozjpeg': { type: 'image/jpeg', write: (picture) => picture.jpeg({ quality: 97, mozjpeg: true }) },
  'a WebP': { type: 'image/webp', write: (picture) => picture.webp({ quality: 98 }) },
  'a lossless WebP': { type: 'image/webp', write: (picture) => picture.webp({ lossless: true, effort: 1 }) },
  'an AVIF': { type: 'image/avif', write: (picture) => picture.avif({ quality: 92, effort: 1 }) },
  'a palette': { type: 'image/png', write: (picture) => picture.png({ palette: true, effort: 3 }) },
}

const real = (name: string): Sharp =>
  sharp(readFileSync(path.join(FIXTURES, name)))
    .removeAlpha()
    .toColourspace('srgb')

const PICTURES: Readonly<Record<string, () => Sharp>> = {
  'a photograph': () => real('properties/rgb8.png'),
  'a small photograph': () => real('properties/rgb8.png').resize(48),
  'text on grain': () => real('guards/text-on-grain.png'),
  'a drawing': () => open(graphic(200, 150)).blur(1.2),
  'a tiny picture': () => open(photo(20, 16)),
}

describe.each(Object.entries(WRITTEN))('%s', (_, { type, write }) => {
  describe.each(Object.entries(PICTURES))('of %s', (_name, picture) => {
    it.skipIf(!canDecode(type)).each([
      [80, 'default'],
      [60, 'default'],
      [80, 'fast'],
      [60, 'fast'],
    ] as const)('loses nothing after the first time, for %i and with effort %s', async (quality, effort) => {
      const source = await write(picture()).toBuffer()
      const first = await optimize(source, { quality, effort })
      await expectPromise(source, first, quality)
      await expectSame(first.data, { quality, effort })
      // A draft comes back to a build with more time, and a result to one with a higher promise.
      const others = [
        { effort: 'default' as const, quality },
        { effort, quality: quality + 10 },
      ]
      // A result without loss is a source like any other.
      for (const asked of (first.score ?? 100) === 100 ? [] : others) await expectNoLoss(first.data, asked)
    })
  })

  it('loses something the first time', async () => {
    const source = await write(PICTURES[type === 'image/jpeg' ? 'a photograph' : 'text on grain']!()).toBuffer()
    const { score, info } = await optimize(source, { quality: 60 })
    expect(info.type).toBe(type)
    expect(score).toBeLessThan(100)
  })
})

interface Asked {
  quality: number
  effort: Effort
}

async function expectSame(data: Uint8Array, asked: Asked): Promise<void> {
  let last = data
  for (let generation = 2; generation <= GENERATIONS; generation++) {
    const next = await optimize(last, asked)
    expect([generation, next.data.length, next.score ?? 100]).toEqual([generation, data.length, 100])
    last = next.data
  }
  expect(Buffer.compare(last, data)).toBe(0)
}

async function expectNoLoss(data: Uint8Array, asked: Asked): Promise<void> {
  const { score = 100 } = await optimize(data, asked)
  expect(score).toBe(100)
}
