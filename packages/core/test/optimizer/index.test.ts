import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { naming, failure } from '@pixpress/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMemoryCache } from '../../src/cache/memory-store.ts'
import { detectType } from '../../src/base/detect.ts'
import { writeJpeg } from '../../src/formats/jpeg/metadata.ts'
import { ssimulacra2 } from '../../src/quality/metric/ssimulacra2.ts'
import { createOptimizer } from '../../src/optimizer/index.ts'
import { IMAGE_TYPES } from '../../src/base/formats.ts'
import { animation, cutout, graphic, open, photo } from '../images.ts'
import type { Operations } from '../../src/operations/index.ts'
import type { OptimizeResult } from '../../src/optimizer/result.ts'

const optimizer = createOptimizer({ concurrency: 2 })
const inputs: Record<string, Buffer> = {}

beforeAll(async () => {
  inputs.jpeg = await open(photo()).jpeg({ quality: 97, chromaSubsampling: '4:4:4' }).toBuffer()
  inputs.png = await open(photo(90, 70)).png().toBuffer()
  inputs.graphic = await open(graphic()).png({ compressionLevel: 1 }).toBuffer()
  inputs.cutout = await open(cutout()).png().toBuffer()
  inputs.webp = await open(photo()).webp({ quality: 98 }).toBuffer()
  inputs.avif = await open(photo()).avif({ quality: 95, effort: 2 }).toBuffer()
  inputs.gif = await animation('gif')
  inputs.spinner = await readFile(new URL('../fixtures/spinner.gif', import.meta.url))
  inputs.animatedWebp = await animation('webp')
  inputs.svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><!-- drawn -->  <rect  width="10.00000" height="5"/></svg>',
  )
})

const run = (input: string, operations?: Operations): Promise<OptimizeResult> =>
  optimizer.optimize(inputs[input]!, operations, { file: `${input}.img` })

async function pixels(data: Uint8Array): Promise<{ data: Buffer; width: number; height: number; channels: 3 | 4 }> {
  const { depth, width, height } = await sharp(data).metadata()
  if (depth !== 'ushort') {
    return { data: await sharp(data).toColourspace('srgb').ensureAlpha().raw().toBuffer(), width, height, channels: 4 }
  }
  // Samples of 10 bits are rounded to 8, as decoders do; libvips would truncate them.
  const words = await sharp(data).toColourspace('rgb16').ensureAlpha().raw({ depth: 'ushort' }).toBuffer()
  const samples = new Uint16Array(new Uint8Array(words).buffer)
  return { data: Buffer.from(samples.map((word) => Math.round(word / 257))), width, height, channels: 4 }
}

describe('compression', () => {
  it.each(['jpeg', 'png', 'graphic', 'cutout', 'webp', 'avif', 'spinner', 'animatedWebp', 'svg'])(
    'makes %s smaller in its own type, and says the truth about it',
    async (name) => {
      const source = inputs[name]!
      const { data, info, input, kept } = await run(name)
      expect(kept).toBe('output')
      expect(data.length).toBeLessThan(source.length)
      expect(detectType(data)).toBe(detectType(source))
      expect(info).toMatchObject({
        type: detectType(data),
        size: data.length,
        width: input.width,
        height: input.height,
        frames: input.frames,
      })
      // An SVG has no pixels of its own to be counted.
      if (info.type !== 'image/svg+xml') {
        const { width, height, pageHeight = height, pages = 1 } = await sharp(data, { animated: true }).metadata()
        expect([width, pageHeight, pages]).toEqual([info.width, info.height, info.frames])
      }
    },
  )

  it.each(['jpeg', 'png', 'graphic', 'cutout', 'webp', 'avif'])('keeps the promised score for %s', async (name) => {
    for (const quality of ['high', 'small', 90] as const) {
      const { data, kept, score } = await run(name, { quality })
      if (kept === 'input') continue
      const promised = quality === 'high' ? 80 : quality === 'small' ? 60 : 90
      const measured = ssimulacra2(await pixels(inputs[name]!), await pixels(data))
      expect(measured).toBeGreaterThanOrEqual(promised - 0.01)
      // The score of an AVIF is the lower one of two kinds of decoders. It is lower still by the difference between
      // browsers' pixels of its source and ours.
      if (name === 'avif') expect(Math.abs(score! - measured)).toBeLessThan(1.2)
      else expect(score).toBeCloseTo(measured, 1)
    }
  })

  it('spends fewer bytes on a lower promise', async () => {
    const sizes = await Promise.all(
      ([90, 'high', 'balanced', 'small'] as const).map(async (quality) => (await run('webp', { quality })).data.length),
    )
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    expect(new Set(sizes).size).toBe(4)
  })

  it('keeps the input when nothing is smaller, without its metadata', async () => {
    const { data: tiny } = await optimizer.optimize(await open(photo(64, 64)).png().toBuffer(), {
      convert: { type: 'image/jpeg' },
    })
    const described = writeJpeg(tiny, { copyright: { text: 'somebody' } })
    const { data, kept, info } = await optimizer.optimize(described)
    expect(kept).toBe('input')
    expect(data.length).toBeLessThan(described.length)
    expect(Buffer.from(data).includes('somebody')).toBe(false)
    expect(info.size).toBe(data.length)
    expect((await pixels(data)).data.equals((await pixels(described)).data)).toBe(true)
  })

  it('never grows and gives the same bytes again, run after run', async () => {
    for (const name of Object.keys(inputs)) {
      const [first, second] = [await run(name), await createOptimizer().optimize(inputs[name]!)]
      expect(first.data.length).toBeLessThanOrEqual(inputs[name]!.length)
      expect(Buffer.compare(first.data, second.data)).toBe(0)
      expect(first.key).toBe(second.key)
    }
  })

  it('turns the pixels as EXIF says and drops the tag', async () => {
    const rotated = await open(photo(120, 60)).jpeg({ quality: 97 }).withMetadata({ orientation: 6 }).toBuffer()
    const { data, info } = await optimizer.optimize(rotated)
    expect(info).toMatchObject({ width: 60, height: 120 })
    expect((await sharp(data).metadata()).orientation ?? 1).toBe(1)
    const upright = await sharp(rotated).autoOrient().ensureAlpha().raw().toBuffer()
    expect(ssimulacra2({ data: upright, width: 60, height: 120, channels: 4 }, await pixels(data))).toBeGreaterThan(79)
  })

  it('keeps the colours of a PNG with a profile, and rotates one that EXIF says is rotated', async () => {
    const wide = await open(graphic()).withIccProfile('p3').png({ compressionLevel: 1 }).toBuffer()
    const { data } = await optimizer.optimize(wide)
    expect(ssimulacra2(await pixels(wide), await pixels(data))).toBeGreaterThan(99)
    const rotated = await open(graphic(60, 40)).png({ compressionLevel: 1 }).withMetadata({ orientation: 6 }).toBuffer()
    const upright = await optimizer.optimize(rotated)
    expect(upright.info).toMatchObject({ width: 40, height: 60 })
    const expected = {
      data: await sharp(rotated).autoOrient().ensureAlpha().raw().toBuffer(),
      width: 40,
      height: 60,
      channels: 4 as const,
    }
    expect(ssimulacra2(expected, await pixels(upright.data))).toBeGreaterThan(99)
  })

  it('brings a wide-gamut image to sRGB without changing what is seen', async () => {
    const wide = await open(photo(400, 300))
      .withIccProfile('p3')
      .jpeg({ quality: 97, chromaSubsampling: '4:4:4' })
      .toBuffer()
    const { data } = await optimizer.optimize(wide)
    expect((await sharp(data).metadata()).icc).toBeUndefined()
    expect(ssimulacra2(await pixels(wide), await pixels(data))).toBeGreaterThan(78)
  })
})

describe('conversion', () => {
  it.each(IMAGE_TYPES)('to %s as demanded', async (type) => {
    for (const name of ['jpeg', 'graphic']) {
      const { data, info } = await run(name, { convert: { type } })
      expect(detectType(data)).toBe(type)
      expect(info.type).toBe(type)
    }
  })

  it('says so when a demanded type grows', async () => {
    const { notes, data } = await run('jpeg', { convert: { type: 'image/png' }, quality: 99 })
    expect(data.length).toBeGreaterThan(inputs.jpeg!.length)
    expect(notes.join()).toMatch(/Grew .* \d+ .* \d+ .*image\/png/)
  })

  it('takes the smallest of a list, the input included', async () => {
    const each = await Promise.all(
      (['image/webp', 'image/avif'] as const).map((type) => run('graphic', { convert: { type } })),
    )
    const { data } = await run('graphic', { convert: { type: ['image/webp', 'image/avif'] } })
    expect(data.length).toBe(Math.min(...each.map((one) => one.data.length)))
    const best = await run('webp', { quality: 30 })
    const kept = await optimizer.optimize(best.data, { convert: { type: ['image/png'] }, quality: 95 })
    expect(kept).toMatchObject({ kept: 'input', info: { type: 'image/webp' } })
  })

  it('optimises the own type where a list has nothing smaller', async () => {
    const own = await run('graphic')
    const webp = await run('graphic', { convert: { type: 'image/webp' }, quality: 100 })
    const jpeg = await run('graphic', { convert: { type: ['image/jpeg'] } })
    expect(own.info.type).toBe('image/png')
    expect(jpeg.data.length).toBe(own.data.length)
    expect(jpeg).toMatchObject({ kept: 'output', info: { type: 'image/png' } })
    expect((await run('graphic', { convert: { type: ['image/webp'] } })).data.length).toBe(
      Math.min(own.data.length, webp.data.length),
    )
  })

  it('of the wildcard is never larger than any single type', async () => {
    const all = await run('cutout', { convert: { type: '*/*' } })
    for (const type of ['image/webp', 'image/avif', 'image/png'] as const) {
      expect(all.data.length).toBeLessThanOrEqual((await run('cutout', { convert: { type } })).data.length)
    }
    expect((await sharp(all.data).stats()).isOpaque).toBe(false)
  })

  it('never loses transparency without being told the background', async () => {
    await expect(run('cutout', { convert: { type: 'image/jpeg' } })).rejects.toMatchObject({
      code: 'BACKGROUND_REQUIRED',
      file: 'cutout.img',
      message: expect.stringMatching(/transform\.background/),
    })
    const { data } = await run('cutout', { convert: { type: 'image/jpeg' }, transform: { background: '#FF0000' } })
    const { data: raw } = await pixels(data)
    expect([raw[0]! > 240, raw[1]! < 16, raw[2]! < 16]).toEqual([true, true, true])
    expect((await run('cutout', { convert: { type: ['image/jpeg'] } })).info.type).toBe('image/png')
  })

  it('keeps an animation moving, with its delays and its end', async () => {
    const { data, info } = await run('gif', { convert: { type: 'image/webp' } })
    expect(info).toMatchObject({ type: 'image/webp', frames: 4 })
    expect(await sharp(data, { animated: true }).metadata()).toMatchObject({
      pages: 4,
      delay: [40, 60, 80, 100],
      loop: 3,
    })
    await expect(run('gif', { convert: { type: 'image/avif' } })).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
    })
    expect((await run('gif', { convert: { type: ['image/avif'] } })).info).toMatchObject({
      type: 'image/gif',
      frames: 4,
    })
  })
})

describe('resizing', () => {
  it.each<[Operations['resize'], number, number]>([
    [{ method: 'scale', width: 80 }, 80, 60],
    [{ method: 'scale', height: 30 }, 40, 30],
    [{ method: 'fit', width: 50, height: 50 }, 50, 38],
    [{ method: 'cover', width: 50, height: 50 }, 50, 50],
    [{ method: 'thumb', width: 30, height: 60 }, 30, 60],
    [{ method: 'scale', width: 999 }, 160, 120],
  ])('%j', async (resize, width, height) => {
    const { data, info } = await run('jpeg', { resize: resize! })
    expect(info).toMatchObject({ width, height })
    expect(await sharp(data).metadata()).toMatchObject({ width, height })
  })

  it('keeps every frame of an animation', async () => {
    const { data, info } = await run('animatedWebp', { resize: { method: 'scale', width: 20 } })
    expect(info).toMatchObject({ width: 20, height: 15, frames: 4 })
    expect(await sharp(data, { animated: true }).metadata()).toMatchObject({
      pages: 4,
      pageHeight: 15,
      delay: [40, 60, 80, 100],
    })
  })
})

describe('preserve', () => {
  it('carries what was asked for through compression and conversion, and nothing else', async () => {
    const source = await sharp(inputs.jpeg)
      .withExif({ IFD0: { Copyright: 'Ada Example', Make: 'CameraMaker' } })
      .jpeg({ quality: 97 })
      .toBuffer()
    for (const type of IMAGE_TYPES) {
      const { data } = await optimizer.optimize(source, { convert: { type }, preserve: ['copyright'] })
      expect(Buffer.from(data).includes('Ada Example')).toBe(true)
      expect(Buffer.from(data).includes('CameraMaker')).toBe(false)
      const without = await optimizer.optimize(source, { convert: { type } })
      expect(Buffer.from(without.data).includes('Ada Example')).toBe(false)
    }
  })
})

describe('bad input', () => {
  it.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(), 'INPUT_MISSING'],
    ['text', Buffer.from('hello, this is no image'), 'UNSUPPORTED_TYPE'],
  ])('refuses %s', async (_, data, code) => {
    await expect(optimizer.optimize(data, {}, { file: 'odd.png' })).rejects.toMatchObject({ code, file: 'odd.png' })
  })

  it('refuses a truncated image', async () => {
    for (const name of ['jpeg', 'png', 'webp', 'avif']) {
      const source = inputs[name]!
      await expect(optimizer.optimize(source.subarray(0, source.length >> 1))).rejects.toMatchObject({
        code: 'DECODE_FAILED',
      })
    }
  })

  it('refuses more bytes, pixels or frames than the limits before decoding', async () => {
    const tight = createOptimizer({ limits: { maxPixels: 1000, maxFrames: 3, maxBytes: 6000 } })
    await expect(tight.optimize(inputs.graphic!)).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
      status: 413,
      message: naming('160×120', '19200 pixels', '1000'),
    })
    await expect(tight.optimize(inputs.gif!)).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
      message: naming('4 frames', '3'),
    })
    await expect(tight.optimize(inputs.png!)).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
      message: expect.stringContaining('6000'),
    })
  })

  it('names a wrong option', () => {
    expect(() => createOptimizer({ cahce: false } as never)).toThrow(failure('INVALID_OPTION', "'cahce'", "'cache'"))
    expect(() => createOptimizer({ limits: { maxPixels: 0 } })).toThrow(
      failure('INVALID_OPTION', '1', "'limits.maxPixels'"),
    )
    expect(() => optimizer.plan(inputs.png!, { resize: { method: 'fit', width: 2 } as never })).toThrow(
      failure('INVALID_OPTION', "'width'", "'height'"),
    )
  })
})

describe('plan and cache', () => {
  it('gives one identity to equal work, whatever the spelling, and another to other work', () => {
    const key = (operations?: Operations): string => optimizer.plan(inputs.png!, operations).key
    expect(key({ quality: 'high' })).toBe(key())
    expect(key({ convert: { type: ['image/webp', 'image/png'] } })).toBe(
      key({ convert: { type: ['image/png', 'image/webp'] } }),
    )
    const keys = [
      key(),
      key({ quality: 'small' }),
      key({ convert: { type: 'image/webp' } }),
      key({ convert: { type: ['image/webp'] } }),
      key({ preserve: ['copyright'] }),
      key({ transform: { background: 'white' } }),
      key({ resize: { method: 'scale', width: 3 } }),
      optimizer.plan(inputs.jpeg!).key,
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('says which types a result can have', () => {
    const types = (operations?: Operations): readonly string[] => optimizer.plan(inputs.png!, operations).types
    expect(types()).toEqual(['image/png'])
    expect(types({ convert: { type: 'image/webp' } })).toEqual(['image/webp'])
    expect(types({ convert: { type: ['image/webp'] } })).toEqual(['image/webp', 'image/png'])
    expect(optimizer.plan(inputs.svg!, { convert: { type: ['image/webp'] } }).types).toEqual(['image/svg+xml'])
  })

  it('answers a hit with all that the miss gave', async () => {
    const cached = createOptimizer({ cache: createMemoryCache() })
    for (const name of Object.keys(inputs)) {
      const miss = await cached.optimize(inputs[name]!)
      const hit = await cached.optimize(inputs[name]!)
      expect(miss.cached).toBe(false)
      const { work, ...others } = miss
      // The work that was done now; there is none for a hit.
      expect(work?.milliseconds.total).toBeGreaterThan(0)
      expect({ ...hit, data: Buffer.from(hit.data) }).toEqual({ ...others, data: Buffer.from(miss.data), cached: true })
    }
    expect(cached.stats).toEqual({
      encoded: Object.keys(inputs).length,
      cacheHits: Object.keys(inputs).length,
      failed: 0,
    })
  })

  it('leaves a result alone that comes back, where it is told to remember results', async () => {
    const remembering = createOptimizer({ cache: createMemoryCache(), rememberResults: true })
    for (const operations of [{}, { resize: { method: 'cover', width: 60, height: 50 } }] as const) {
      const { data, info } = await remembering.optimize(inputs.jpeg!, operations)
      const again = await remembering.optimize(data, operations)
      expect(again).toMatchObject({ cached: true, kept: 'input', info, input: info })
      expect(again.data).toBe(data)
    }
    expect(remembering.stats).toMatchObject({ encoded: 2, cacheHits: 2 })
  })

  it('does not take a file that it has left as it came for its own', async () => {
    const remembering = createOptimizer({ cache: createMemoryCache(), rememberResults: true })
    // The encoder of another program has compressed this source so far that nothing is left to save.
    const source = await open(photo(64, 48)).jpeg({ quality: 30 }).toBuffer()
    const first = await remembering.optimize(source)
    expect(first).toMatchObject({ cached: false, kept: 'input' })
    expect(Buffer.compare(first.data, source)).toBe(0)
    expect(['smallest', 'second-loss', 'guarded']).toContain(first.reason)
    const { reason, declined, refused } = first
    expect(await remembering.optimize(source)).toMatchObject({
      cached: true,
      kept: 'input',
      reason,
      ...(declined && { declined }),
      ...(refused && { refused }),
    })
  })

  it('knows its own results by their marks, and speaks of an earlier run only where no other program writes the same', async () => {
    const fresh = createOptimizer()
    const webp = await fresh.optimize(await open(photo(96, 64)).png().toBuffer(), { convert: { type: 'image/webp' } })
    expect(await fresh.optimize(webp.data)).toMatchObject({ kept: 'input', reason: 'finished' })
    const palette = async (width: number, height: number): Promise<Uint8Array> => {
      const { data, score } = await fresh.optimize(await open(photo(width, height)).png().toBuffer())
      expect(score).toBeLessThan(100)
      return data
    }
    // Other encoders write the same header for a large picture.
    expect(await fresh.optimize(await palette(320, 240))).toMatchObject({ kept: 'input', reason: 'compressed' })
    expect(await fresh.optimize(await palette(72, 48))).toMatchObject({ kept: 'input', reason: 'finished' })
  })

  it('works once for many callers at once', async () => {
    const busy = createOptimizer({ cache: createMemoryCache() })
    const results = await Promise.all(Array.from({ length: 12 }, () => busy.optimize(inputs.png!)))
    expect(busy.stats.encoded).toBe(1)
    expect(new Set(results.map(({ data }) => Buffer.from(data).toString('base64'))).size).toBe(1)
  })

  it('does not remember a failure', async () => {
    const cache = createMemoryCache()
    const broken = inputs.png!.subarray(0, 400)
    const failing = createOptimizer({ cache })
    await expect(failing.optimize(broken)).rejects.toMatchObject({ code: 'DECODE_FAILED' })
    await expect(failing.optimize(broken)).rejects.toMatchObject({ code: 'DECODE_FAILED' })
    expect(failing.stats).toMatchObject({ failed: 2, encoded: 0 })
  })
})
