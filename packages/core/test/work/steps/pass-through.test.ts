import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { DISPLAY_P3, SRGB } from '../../../src/colour/colour-space.ts'
import { buildProfile } from '../../../src/colour/build-profile.ts'
import { createOptimizer, optimize } from '../../../src/index.ts'
import { chunk, iccp, withChunks } from '../../colour/png-chunks.ts'
import { gifOf, randomNumbers, shownFrames } from '../../formats/gif/gifs.ts'
import { graphic, open } from '../../images.ts'

const AVIF = new URL('../../fixtures/conformance/pq-bt2020-10bit.avif', import.meta.url)

const cicp = (primaries: number, transfer: number): Buffer => chunk('cICP', Uint8Array.of(primaries, transfer, 0, 1))

const png = async (...chunks: Buffer[]): Promise<Buffer> =>
  withChunks(await open(graphic(40, 30)).png({ compressionLevel: 0 }).toBuffer(), ...chunks)

function avif(transfer: number): Buffer {
  const data = Buffer.from(readFileSync(AVIF))
  for (let at = data.indexOf('nclx'); at >= 0; at = data.indexOf('nclx', at + 1)) data.writeUInt16BE(transfer, at + 6)
  return data
}

const grey = (): Buffer => readFileSync(new URL('../../fixtures/meaning/grey-lightness.png', import.meta.url))

describe('an image of high dynamic range', () => {
  it.each([
    ['PNG in PQ', () => png(cicp(9, 16))],
    ['PNG in HLG', () => png(cicp(9, 18))],
    ['PNG in PQ and the primaries of Display P3', () => png(cicp(12, 16))],
    ['AVIF in PQ', () => Promise.resolve(avif(16))],
    ['AVIF in HLG', () => Promise.resolve(avif(18))],
  ])('is passed through as it is, and refused where it was to be changed: %s', async (_, make) => {
    const source = await make()
    for (const operations of [{}, { convert: { type: ['avif', 'webp', 'png'] } }] as const) {
      const { data, kept, notes } = await optimize(source, operations)
      expect([kept, notes]).toEqual([
        'input',
        [expect.stringMatching(/high dynamic range \((PQ|HLG)\).*passed through/)],
      ])
      expect(data.length).toBeLessThanOrEqual(source.length)
    }
    for (const operations of [{ convert: { type: 'webp' } }, { resize: { method: 'scale', width: 9 } }] as const) {
      await expect(optimize(source, operations)).rejects.toMatchObject({
        code: 'UNSUPPORTED_OPERATION',
        message: expect.stringContaining('high dynamic range'),
      })
    }
  })
})

describe('an image in the colours of BT.2020', () => {
  it('is passed through unasked, and converted to colours of screens where that is asked for', async () => {
    const source = await png(cicp(9, 14))
    const same = await optimize(source)
    expect([same.kept, same.notes]).toEqual(['input', [expect.stringContaining('BT.2020')]])
    expect(Buffer.from(same.data).includes('cICP')).toBe(true)
    const { info, score } = await optimize(source, { convert: { type: 'webp' } })
    expect(info.type).toBe('image/webp')
    expect(score).toBeGreaterThanOrEqual(80)
  })

  it('is worked on in the colours of other spaces', async () => {
    for (const space of [SRGB, DISPLAY_P3]) {
      const source = await png(iccp(buildProfile(space, 'x')))
      expect((await optimize(source)).kept).toBe('output')
    }
    expect((await optimize(await png(cicp(1, 13)))).kept).toBe('output')
  })
})

describe('a grey image with a profile of lightness', () => {
  it('is passed through unasked, and converted as browsers show it, which ignore the profile', async () => {
    const source = grey()
    const same = await optimize(source)
    expect([same.kept, same.notes]).toEqual(['input', [expect.stringContaining('lightness')]])
    const { data } = await optimize(source, { convert: { type: 'webp' }, encoder: { webp: { lossless: true } } })
    const pixels = await sharp(data).raw().toBuffer()
    const middle = pixels[32 * 3]!
    expect(middle).toBe(33_280 >> 8)
  })
})

describe('an animation of more pixels in all frames than are decoded', () => {
  const [side, count] = [64, 12]
  const random = randomNumbers(5)
  const source = gifOf(
    side,
    side,
    Array.from({ length: count }, (_, at) => ({
      width: side,
      height: side,
      indices: Array.from({ length: side * side }, (__, pixel) =>
        (pixel % side) + at < side ? pixel % 5 : random(50),
      ),
    })),
  )
  const optimizer = createOptimizer({ cache: false, concurrency: 1, limits: { maxPixels: side * side * 3 } })
  afterAll(() => optimizer.close())

  it('is packed anew without loss where it is a GIF', async () => {
    const { data, kept, score, info, notes } = await optimizer.optimize(source)
    expect([kept, score, info.frames, notes]).toEqual(['output', 100, count, []])
    expect(data.length).toBeLessThan(source.length / 2)
    expect((await shownFrames(data)).equals(await shownFrames(source))).toBe(true)
  })

  it('is refused where it is to be changed, or to become another type', async () => {
    for (const operations of [
      { resize: { method: 'scale', width: 20 } },
      { convert: { type: 'image/webp' } },
    ] as const) {
      await expect(optimizer.optimize(source, operations)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' })
    }
  })

  it('is refused where it has few bytes for its pixels, or one frame is too large', async () => {
    const empty = { width: 1, height: 1, indices: [1] }
    const bomb = gifOf(1000, 1000, [empty, empty, empty])
    await expect(createOptimizer({ limits: { maxPixels: 2_000_000 } }).optimize(bomb)).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
    })
    await expect(createOptimizer({ limits: { maxPixels: side } }).optimize(source)).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
    })
  })
})
