import sharp from 'sharp'
import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { detectType } from '../../../src/base/detect.ts'
import { decodeJxl, encodeJxl } from '../../../src/formats/jxl/libjxl.ts'
import { readJxlHeader } from '../../../src/formats/jxl/header.ts'
import { readMetadata, writeMetadata } from '../../../src/work/steps/metadata.ts'
import { ssimulacra2 } from '../../../src/quality/metric/ssimulacra2.ts'
import { createOptimizer } from '../../../src/optimizer/index.ts'
import { cutout, graphic, open, photo } from '../../images.ts'
import type { Raw } from '../../images.ts'
import { jxlFixture } from './fixture.ts'
import { sized, withChannels } from './write-header.ts'
import type { Operations } from '../../../src/operations/index.ts'

const optimizer = createOptimizer({ concurrency: 2 })

async function asJxl(raw: Raw, quality: number | 'lossless'): Promise<Uint8Array> {
  const data = await open(raw).ensureAlpha().raw().toBuffer()
  return encodeJxl({ ...raw, data }, { effort: 3, quality })
}

async function rgba(data: Uint8Array): Promise<{ data: Uint8Array; width: number; height: number; channels: 4 }> {
  if (detectType(data) === 'image/jxl') return { ...(await decodeJxl(data)), channels: 4 }
  const { data: pixels, info } = await sharp(data).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: pixels, width: info.width, height: info.height, channels: 4 }
}

describe('JPEG XL as input', () => {
  it('is made smaller where the promise allows, and stays where it is the smallest', async () => {
    const source = await asJxl(photo(), 98)
    const smaller = await optimizer.optimize(source)
    expect(smaller).toMatchObject({ kept: 'output', info: { type: 'image/jxl', width: 160, height: 120 } })
    expect(smaller.data.length).toBeLessThan(source.length)
    expect(ssimulacra2(await rgba(source), await rgba(smaller.data))).toBeGreaterThanOrEqual(80)
    const lean = await asJxl(photo(), 40)
    expect(await optimizer.optimize(lean, { quality: 100 })).toMatchObject({
      kept: 'input',
      info: { size: lean.length },
    })
  })

  it.each(['image/avif', 'image/webp', 'image/jpeg', 'image/png'] as const)('becomes %s', async (type) => {
    const source = jxlFixture('container')
    const { data, info } = await optimizer.optimize(source, { convert: { type } })
    expect(info).toMatchObject({ type, width: 161, height: 107 })
    expect(ssimulacra2(await rgba(source), await rgba(data))).toBeGreaterThan(78)
  })

  it('is upright, resized and flattened like any other image', async () => {
    const rotated = await optimizer.optimize(jxlFixture('turned'), { resize: { method: 'scale', width: 32 } })
    expect(rotated.input).toMatchObject({ width: 64, height: 96 })
    expect(rotated.info).toMatchObject({ type: 'image/jxl', width: 32, height: 48 })
    expect(readJxlHeader(rotated.data)).toMatchObject({ width: 32, height: 48 })
    const filled = await optimizer.optimize(await asJxl(cutout(), 'lossless'), {
      convert: { type: 'image/jpeg' },
      transform: { background: '#ff0000' },
    })
    const [red, green, blue] = (await rgba(filled.data)).data
    expect([red! > 240, green! < 16, blue! < 16]).toEqual([true, true, true])
  })

  it('stays as it is rather than lose colours that sRGB has not', async () => {
    const source = jxlFixture('p3-icc')
    const { kept, data } = await optimizer.optimize(source, { quality: 30 })
    expect(kept).toBe('input')
    expect(Buffer.from((await decodeJxl(data)).data).equals((await decodeJxl(source)).data)).toBe(true)
    const smaller = await optimizer.optimize(source, { resize: { method: 'scale', width: 48 } })
    expect(smaller.info).toMatchObject({ type: 'image/jxl', width: 48 })
  })

  it('needs a background to lose its transparency', async () => {
    await expect(optimizer.optimize(jxlFixture('alpha'), { convert: { type: 'image/jpeg' } })).rejects.toMatchObject({
      code: 'BACKGROUND_REQUIRED',
    })
  })

  it('stays as it is when animated, and says so', async () => {
    const source = jxlFixture('anim')
    const kept = await optimizer.optimize(source)
    expect(kept).toMatchObject({ kept: 'input', info: { type: 'image/jxl', frames: 2 } })
    expect(kept.notes).toEqual([expect.stringContaining('JPEG XL')])
    expect(Buffer.from(kept.data).equals(source)).toBe(true)
    const listed = await optimizer.optimize(source, { convert: { type: ['image/webp'] } })
    expect(listed).toMatchObject({ kept: 'input', info: { type: 'image/jxl' } })
    await expect(optimizer.optimize(source, { convert: { type: 'image/webp' } })).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('JPEG XL'),
    })
  })

  it.each([
    ['in CMYK', withChannels(sized(9, 9), [4]).codestream()],
    ['of more than 24 megapixels', sized(5000, 5000).bits(1, 1).codestream(26_000)],
  ])('%s is passed through without decoding', async (kind, source) => {
    const { notes, data } = await optimizer.optimize(source)
    expect(notes).toEqual([naming('JPEG XL', kind)])
    expect(data.length).toBe(source.length)
    await expect(optimizer.optimize(source, { resize: { method: 'scale', width: 4 } })).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
    })
  })

  it.each([
    [
      'pixels',
      sized(2 ** 30, 2 ** 30)
        .bits(1, 1)
        .codestream(),
      'INPUT_TOO_LARGE',
    ],
    ['a broken header', Uint8Array.of(0xff, 0x0a), 'DECODE_FAILED'],
    ['a cut-off file', jxlFixture('alpha').subarray(0, 3000), 'DECODE_FAILED'],
    ['nothing behind its header', jxlFixture('alpha').subarray(0, 12), 'DECODE_FAILED'],
  ])('is refused for %s', async (_, source, code) => {
    await expect(optimizer.optimize(source, {}, { file: 'odd.jxl' })).rejects.toMatchObject({ code, file: 'odd.jxl' })
  })
})

describe('JPEG XL as output', () => {
  it.each([
    ['a photograph', photo(), 79.9],
    ['a graphic', graphic(), 79.9],
    ['a cut-out', cutout(), 79.9],
  ])('keeps the promise for %s', async (_, raw, least) => {
    const source = await open(raw).png().toBuffer()
    const { data, info, score } = await optimizer.optimize(source, { convert: { type: 'image/jxl' } })
    expect(detectType(data)).toBe('image/jxl')
    expect(info).toMatchObject({ type: 'image/jxl', width: raw.width, height: raw.height, size: data.length })
    expect(score).toBeGreaterThanOrEqual(80)
    expect(ssimulacra2(await rgba(source), await rgba(data))).toBeGreaterThan(least)
  })

  it('has to be named', async () => {
    const source = await open(photo()).png().toBuffer()
    const plan = (operations: Operations): readonly string[] => optimizer.plan(source, operations).types
    expect(plan({ convert: { type: '*/*' } })).not.toContain('image/jxl')
    expect(plan({ convert: { type: ['*/*', 'image/jxl'] } })).toContain('image/jxl')
    expect(plan({ convert: { type: 'image/jxl' } })).toEqual(['image/jxl'])
  })

  it('is the same bytes every time', async () => {
    const source = await open(photo()).png().toBuffer()
    const [first, second] = await Promise.all(
      [createOptimizer(), createOptimizer()].map((each) => each.optimize(source, { convert: { type: 'image/jxl' } })),
    )
    expect(Buffer.from(first!.data).equals(second!.data)).toBe(true)
  })

  it('carries metadata over in both directions', async () => {
    const rights = { copyright: { text: 'Ada Example' } }
    const jpeg = writeMetadata(await open(photo()).jpeg({ quality: 97 }).toBuffer(), 'image/jpeg', rights)
    const jxl = await optimizer.optimize(jpeg, { convert: { type: 'image/jxl' }, preserve: ['copyright'] })
    expect(readMetadata(jxl.data, 'image/jxl')).toEqual(rights)
    expect((await decodeJxl(jxl.data)).width).toBe(160)
    const back = await optimizer.optimize(jxl.data, { convert: { type: 'image/webp' }, preserve: ['copyright'] })
    expect(readMetadata(back.data, 'image/webp')).toEqual(rights)
    const without = await optimizer.optimize(jxl.data)
    expect(readMetadata(without.data, 'image/jxl')).toEqual({})
  })
})
