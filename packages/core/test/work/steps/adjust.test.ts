import { DIRECTIVE_SAMPLES } from '@pixpress/testkit'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { optimize } from '../../../src/index.ts'
import { ADJUSTMENTS } from '../../../src/operations/adjust.ts'
import { animation, cutout, open, photo } from '../../images.ts'
import type { Adjustments } from '../../../src/operations/adjust.ts'
import type { Operations } from '../../../src/operations/index.ts'

type Raw = { data: Buffer; info: { width: number; height: number; channels: number } }

const raw = (image: Sharp): Promise<Raw> => image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })

async function made(source: Uint8Array, operations: Operations): Promise<Raw> {
  const { data } = await optimize(source, { ...operations, lossless: true })
  return raw(sharp(data))
}

/** Largest difference of a sample. */
function difference(one: Raw, other: Raw): number {
  expect({ ...one.info, size: 0 }).toMatchObject({ width: other.info.width, height: other.info.height })
  let most = 0
  const { channels } = one.info
  for (let at = 0; at < one.data.length; at++) {
    // The colour of transparent pixels may have any value.
    const isHidden = channels === 4 && one.data[at - (at % 4) + 3] === 0 && at % 4 !== 3
    if (!isHidden) most = Math.max(most, Math.abs(one.data[at]! - other.data[at]!))
  }
  return most
}

describe('adjustments', () => {
  const source = open(photo(48, 36)).png().toBuffer()

  it.each(Object.keys(ADJUSTMENTS) as (keyof typeof ADJUSTMENTS)[])('of %s give the pixels of sharp', async (word) => {
    const { operations, bySharp } = DIRECTIVE_SAMPLES[word]
    const expected = await raw(
      sharp(
        await bySharp(sharp(await source))
          .png()
          .toBuffer(),
      ),
    )
    expect(expected.data.equals((await raw(sharp(await source))).data)).toBe(false)
    expect(difference(await made(await source, operations[0]!), expected)).toBe(0)
  })

  it('come in the order of sharp, whatever the order of the keys', async () => {
    const adjust = { invert: true, tint: 'teal', blur: true, rotate: 30, flop: true, background: '#ff000080' } as const
    const expected = await sharp(await source)
      .flop()
      .rotate(30, { background: '#ff000080' })
      .blur()
      .tint('teal')
      .negate()
      .png()
      .toBuffer()
    const one = await made(await source, { adjust })
    expect(difference(one, await raw(sharp(expected)))).toBe(0)
    expect(one.info.channels).toBe(4)
    const reversed = Object.fromEntries(Object.entries(adjust).toReversed()) as Adjustments
    expect((await made(await source, { adjust: reversed })).data.equals(one.data)).toBe(true)
  })

  it('keep the alpha of what they make grey, and flatten first', async () => {
    const clear = await open(cutout(40, 40)).png().toBuffer()
    const grey = await made(clear, { adjust: { grayscale: true } })
    expect(difference(grey, await raw(sharp(await sharp(clear).grayscale().png().toBuffer()).ensureAlpha()))).toBe(0)
    const negative = await made(clear, { adjust: { invert: true }, transform: { background: 'white' } })
    expect([...negative.data.subarray(0, 3)]).toEqual([0, 0, 0])
  })

  it('are what the promise is kept to, and change the source also where it grows', async () => {
    const { score, kept, info } = await optimize(await source, { adjust: { rotate: 90 }, convert: { type: 'webp' } })
    expect({ kept, width: info.width, height: info.height }).toEqual({ kept: 'output', width: 36, height: 48 })
    expect(score).toBeGreaterThanOrEqual(80)
  })

  it('are applied to every frame, and refused where frames would differ', async () => {
    const frames = await animation('gif')
    const { info } = await optimize(frames, { adjust: { rotate: 90, grayscale: true }, convert: { type: 'webp' } })
    const before = await sharp(frames, { animated: true }).metadata()
    expect(info).toMatchObject({ width: before.pageHeight, height: before.width, frames: before.pages })
    await expect(optimize(frames, { adjust: { normalize: true } })).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('cannot be normalized') as string,
    })
  })

  it.each([7, 10, 33])('turn the frames of an animation by %i degrees as sharp turns each', async (rotate) => {
    const background = '#ff000080'
    const pages = [photo(40, 13), photo(40, 13, 2)].map((image) => open(image).ensureAlpha().raw().toBuffer())
    const raws = { width: 40, height: 26, channels: 4, pageHeight: 13 } as const
    const frames = await sharp(Buffer.concat(await Promise.all(pages)), { raw: raws })
      .webp({ lossless: true, delay: [100, 100] })
      .toBuffer()
    const { data } = await optimize(frames, { adjust: { rotate, background }, lossless: true })
    for (const page of [0, 1]) {
      const frame = sharp(await sharp(frames, { page }).png().toBuffer()).ensureAlpha()
      const turned = sharp(await frame.rotate(rotate, { background }).png().toBuffer())
      expect(difference(await raw(sharp(data, { page }).ensureAlpha()), await raw(turned))).toBe(0)
    }
  })

  it('are refused for SVG, and beyond the limit of pixels', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"><path d="M0 0h5v5z"/></svg>')
    await expect(optimize(svg, { adjust: { flip: true } })).rejects.toThrow(/cannot be adjusted/)
  })
})
