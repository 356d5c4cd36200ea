import { readFile } from 'node:fs/promises'
import { losslessCompressPng } from '@napi-rs/image'
import { photo } from '@pixpress/testkit'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import type { EncodeRequest } from '../../../src/encoding/request.ts'
import { encodePng } from '../../../src/formats/png/encode.ts'
import type { Candidate } from '../../../src/encoding/request.ts'
import { createPicture } from '../../../src/encoding/picture.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'

const fixture = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../fixtures/properties/${name}.png`, import.meta.url))

/** Reads the fields of `IHDR`. */
const headerOf = (png: Uint8Array) => ({ depth: png[24], colourType: png[25], interlaced: png[28] === 1 })

async function encode(source: Uint8Array, options: Partial<EncodeRequest> = {}): Promise<Candidate[]> {
  const { data, info } = await sharp(source)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const picture = createPicture({ data, width: info.width, height: info.height, channels: 4 })
  const scorer = createScorer(picture)
  try {
    const candidates = await encodePng({ picture, scorer, target: 80, effort: 'default', source, ...options })
    for (const { data: written, score } of candidates) expect(await scorer.score(written)).toBe(score)
    return candidates
  } finally {
    scorer.dispose()
  }
}

const smallest = (candidates: readonly Candidate[]): Candidate =>
  candidates.reduce((a, b) => (b.data.length < a.data.length ? b : a))

/** A mask of the photograph's size that is opaque except for its corners. */
const DISC = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="100%" height="100%" rx="90"/></svg>',
)

const drawing = (body: string, side: number = 120): Promise<Buffer> =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${body}</svg>`))
    .png()
    .toBuffer()

describe('lossless', () => {
  it.each([
    [1, '<rect width="60" height="120" fill="#fff"/><rect x="60" width="60" height="120" fill="#159"/>'],
    [
      2,
      ['fff', '159', 'a11']
        .map((fill, at) => `<rect y="${at * 40}" width="120" height="40" fill="#${fill}"/>`)
        .join(''),
    ],
    [
      4,
      Array.from(
        { length: 12 },
        (_, at) => `<rect y="${at * 10}" width="120" height="10" fill="hsl(${at * 30},80%,40%)"/>`,
      ).join(''),
    ],
  ])('stores few colours in %d bits', async (depth, body) => {
    const found = smallest(await encode(await drawing(body), { target: 100 }))
    expect(headerOf(found.data)).toMatchObject({ depth, colourType: 3 })
    expect(found.score).toBe(100)
  })

  it('drops interlacing', async () => {
    for (const { data } of await encode(await fixture('interlaced'))) expect(headerOf(data).interlaced).toBe(false)
  })

  it('keeps 16 bits for the promise of 100 only', async () => {
    const source = await fixture('rgb16')
    const exact = await encode(source, { target: 100 })
    expect(exact.map(({ data }) => headerOf(data).depth)).toEqual([16])
    // If a palette is clearly smaller, lossless results are made only with the effort `max`.
    const seen = smallest((await encode(source, { effort: 'max' })).filter(({ score }) => score === 100))
    expect(headerOf(seen.data).depth).toBe(8)
    expect(seen.data.length).toBeLessThan(exact[0]!.data.length)
  })

  it('is in 8 bits where a tiny file of 16 cannot be packed better', async () => {
    const words = Uint16Array.from({ length: 64 * 64 }, (_, at) => 1000 * ((at % 64) >> 3) + 3 * ((at >> 6) & 7))
    const plain = await sharp(words, { raw: { width: 64, height: 64, channels: 1 } })
      .toColourspace('grey16')
      .png()
      .toBuffer()
    let packed = await losslessCompressPng(plain)
    for (let next = packed; (next = await losslessCompressPng(packed)).length < packed.length;) packed = next
    expect(headerOf(packed).depth).toBe(16)
    const { data } = smallest(await encode(packed))
    expect(headerOf(data).depth).toBeLessThanOrEqual(8)
    expect(data.length).toBeLessThan(0.9 * packed.length)
  })

  it('clears colours under transparency where that is smaller', async () => {
    const side = 64
    const data = Buffer.alloc(side * side * 4)
    for (let at = 0; at < data.length; at += 4) {
      const hidden = (at >> 2) % side < side / 2
      data.set(hidden ? [(at * 7919) & 255, ((at * 104_729) >> 8) & 255, (at >> 3) & 255, 0] : [20, 90, 160, 255], at)
    }
    const source = await sharp(data, { raw: { width: side, height: side, channels: 4 } })
      .png()
      .toBuffer()
    const [asItIs] = await encode(source, { target: 100 })
    const found = smallest(await encode(source, { target: 100 }))
    expect(found.data.length).toBeLessThan(asItIs!.data.length / 2)
  })
})

describe('palettes', () => {
  it('have as few colours as the promise needs, not only 16 or 256', async () => {
    const source = await readFile(new URL('../../quality/metric/fixtures/docs.png', import.meta.url))
    const sizes = new Map<number, number>()
    for (const target of [70, 80, 90]) {
      const found = smallest(await encode(source, { target }))
      expect(found.score).toBeGreaterThanOrEqual(target)
      sizes.set(target, found.data.length)
    }
    expect(sizes.get(70)).toBeLessThanOrEqual(sizes.get(80)!)
    expect(sizes.get(80)).toBeLessThan(sizes.get(90)!)
  })

  it('take colours from drawings of fewer than 256 as well', async () => {
    const candidates = await encode(await fixture('bar-0'))
    const exact = smallest(candidates.filter(({ score }) => score === 100))
    expect(smallest(candidates).data.length).toBeLessThan(exact.data.length / 2)
  })

  it('keep a spot of colour that is too small for the score', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, at) => `<circle cx="${(at * 53) % 300}" cy="${at * 7}" r="${9 + (at % 7)}" fill="hsl(220,30%,${20 + at}%)"/>`,
    )
    // prettier-ignore
    const source = await drawing(`<rect width="300" height="300" fill="#fff"/>${lines.join('')}<rect x="201" y="100" width="4" height="4" fill="#e11"/>`, 300)
    for (const { data } of await encode(source, { target: 60 })) {
      const [red, green] = await sharp(data)
        .extract({ left: 202, top: 101, width: 1, height: 1 })
        .removeAlpha()
        .raw()
        .toBuffer()
      expect(red! - green!).toBeGreaterThan(100)
    }
  })
})

const changes = {
  'as they are': (image: Sharp) => image,
  'in grey': (image: Sharp) => image.greyscale(),
  'with transparent corners': (image: Sharp) => image.ensureAlpha().composite([{ input: DISC, blend: 'dest-in' }]),
} as const

const photograph = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../quality/metric/fixtures/${name}.png`, import.meta.url))

describe('photographs', () => {
  it.each(['fast', 'default'] as const)('become near-lossless truecolour with %s effort', async (effort) => {
    const found = await encode(await photo(320, 240).png(), { target: 90, effort })
    const chosen = smallest(found)
    expect(headerOf(chosen.data).colourType).toBe(2)
    expect(chosen.score).toBeGreaterThanOrEqual(90)
    expect(chosen.score).toBeLessThan(100)
  })

  it('are losslessly compressed besides with the effort max alone', async () => {
    const source = await photo(320, 240).png()
    expect((await encode(source)).map(({ score }) => score === 100)).toEqual([false])
    expect((await encode(source, { effort: 'max' })).map(({ score }) => score === 100)).toEqual([true, false])
  })

  it('stay lossless where that was promised', async () => {
    for (const { score } of await encode(await photograph('chelsea'), { target: 100 })) expect(score).toBe(100)
  })

  it('have no truecolour where a drawing has a palette', async () => {
    const found = await encode(await photograph('docs'))
    expect(headerOf(smallest(found).data).colourType).toBe(3)
  })

  it.each([
    ['as they are', 2],
    ['in grey', 0],
    ['with transparent corners', 6],
  ] as const)('are left alone when they come back, %s', async (change, colourType) => {
    const source = await changes[change](sharp(await photo(320, 240).png()))
      .png()
      .toBuffer()
    const optimizer = createOptimizer({ cache: false, concurrency: 1 })
    try {
      const { data, score } = await optimizer.optimize(source, { quality: 85 })
      expect(score).toBeGreaterThanOrEqual(85)
      expect(headerOf(data).colourType).toBe(colourType)
      for (const quality of [85, 75]) {
        const again = await optimizer.optimize(data, { quality })
        expect(again.kept).toBe('input')
        expect(Buffer.compare(again.data, data)).toBe(0)
      }
    } finally {
      await optimizer.close()
    }
  })
})

it.each([
  'bar-0',
  'gray16',
  'gray8-alpha',
  'pal-trns',
  'rgb-trns-colorkey',
  'rgba8',
  'dirty-alpha',
  'hero-linear-24bit',
])('a result of %s is left alone by an optimizer that does not know it', async (name) => {
  const optimizer = createOptimizer({ cache: false, concurrency: 1 })
  try {
    const { data } = await optimizer.optimize(await fixture(name))
    const again = await optimizer.optimize(data)
    expect(again.kept).toBe('input')
    expect(Buffer.compare(again.data, data)).toBe(0)
  } finally {
    await optimizer.close()
  }
})
