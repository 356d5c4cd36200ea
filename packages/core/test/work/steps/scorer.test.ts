import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { toSrgb } from '../../../src/colour/gamut.ts'
import { createReference } from '../../../src/quality/metric/ssimulacra2.ts'
import { createPicture, fromPicture, fromPictureIn16Bits } from '../../../src/encoding/picture.ts'
import { createScorer } from '../../../src/work/steps/scorer.ts'
import { photo } from '../../images.ts'

describe('scores', () => {
  it('are 100 for the same pixels, and fall with quality', async () => {
    const picture = createPicture(photo())
    const scorer = createScorer(picture)
    const encode = (quality: number) =>
      fromPictureIn16Bits(picture).avif({ quality, effort: 0, bitdepth: 10 }).toBuffer()
    expect(await scorer.score(await fromPicture(picture).png().toBuffer())).toBe(100)
    const [low, high] = [await scorer.score(await encode(30)), await scorer.score(await encode(90))]
    expect(high).toBeGreaterThan(low)
    scorer.dispose()
  })

  it('of decoded pixels are those of their file', async () => {
    const picture = createPicture(photo())
    const scorer = createScorer(picture)
    const file = await fromPicture(picture).webp({ quality: 60 }).toBuffer()
    const pixels = await sharp(file).removeAlpha().raw().toBuffer()
    expect(scorer.scorePixels(pixels)).toBe(await scorer.score(file))
    expect(scorer.scorePixels(picture.data)).toBe(100)
    scorer.dispose()
  })
})

describe('a refusal', () => {
  it('tells the guard, the place and the share of what was promised', async () => {
    const white = { data: Buffer.alloc(160 * 90 * 3, 255), width: 160, height: 90, channels: 3 } as const
    const scorer = createScorer(createPicture(white))
    const data = Buffer.from(white.data)
    for (let y = 48; y < 56; y++) data.fill(225, (y * 160 + 120) * 3, (y * 160 + 128) * 3)
    const damaged = await fromPicture(createPicture({ ...white, data }))
      .png()
      .toBuffer()
    const { kept, refusal } = await scorer.promiseKeptBy(damaged, 'palette', 99)
    expect(kept).toBeLessThan(80)
    expect(refusal).toMatchObject({ x: 120, y: 48 })
    expect(refusal!.share).toBeCloseTo(2 ** ((80 - kept) / 20), 6)
    const lower = await scorer.promiseKeptBy(damaged, 'palette', 99, 60)
    expect(lower.refusal!.share).toBeCloseTo(refusal!.share / 2, 6)
    const same = await scorer.promiseKeptBy(await fromPicture(createPicture(white)).png().toBuffer(), 'palette', 100)
    expect(same).toEqual({ kept: 100, score: 100 })
    scorer.dispose()
  })
})

describe('a picture in Display P3', () => {
  it('is scored as the worse of a screen of sRGB and one of its own shows it', async () => {
    const pixels = saturated()
    const [srgb, wide] = [createPicture(pixels), createPicture(pixels, 'display-p3')]
    const file = await fromPicture(srgb).webp({ quality: 60 }).toBuffer()
    const [narrowScorer, wideScorer] = [createScorer(srgb), createScorer(wide)]
    const [narrow, shown] = [await narrowScorer.score(file), await wideScorer.score(file)]
    const onSrgb = (data: Uint8Array) => ({ ...pixels, data: toSrgb({ ...pixels, encoding: 'gamma8', data }).data })
    const reference = createReference(onSrgb(wide.data))
    expect(shown).toBe(reference.score(onSrgb(await sharp(file).removeAlpha().raw().toBuffer())))
    expect(shown).not.toBe(narrow)
    reference.dispose()
    const judged = await wideScorer.promiseKeptBy(file, 'block', shown)
    expect(judged.score).toBe(Math.min(shown, narrow))
    expect(wideScorer.scorePixels(wide.data)).toBe(100)
    narrowScorer.dispose()
    wideScorer.dispose()
  })
})

describe('a picture that is nearly what browsers show', () => {
  it('is scored a little lower, and as identical where it is', async () => {
    const picture = createPicture(photo())
    const file = await fromPicture(picture).webp({ quality: 60 }).toBuffer()
    const [exact, near] = [createScorer(picture), createScorer({ ...picture, isNear: true })]
    expect((await exact.score(file)) - (await near.score(file))).toBeCloseTo(0.75, 9)
    expect(near.scorePixels(picture.data)).toBe(100)
    exact.dispose()
    near.dispose()
  })
})

/** Draws saturated colours, whose errors are larger on a screen with a smaller gamut. */
function saturated(): ReturnType<typeof photo> {
  const pixels = photo()
  const data = Buffer.from(pixels.data)
  for (let at = 0; at < data.length; at += pixels.channels) {
    const mean = (data[at]! + data[at + 1]! + data[at + 2]!) / 3
    for (let channel = at; channel < at + 3; channel++)
      data[channel] = Math.min(230, Math.max(25, mean + (data[channel]! - mean) * 2))
  }
  return { ...pixels, data }
}

describe('10 bits', () => {
  it('have white for white and black for black, as browsers show them', async () => {
    for (const level of [255, 128, 0]) {
      const picture = createPicture({ data: Buffer.alloc(32 * 32 * 3, level), width: 32, height: 32, channels: 3 })
      const file = await fromPictureIn16Bits(picture).avif({ quality: 90, effort: 0, bitdepth: 10 }).toBuffer()
      const scorer = createScorer(picture)
      expect(await scorer.score(file)).toBe(100)
      scorer.dispose()
    }
  })
})
