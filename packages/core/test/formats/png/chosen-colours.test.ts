import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { scoreOfFewer, shareOfColours } from '../../../src/formats/png/chosen-colours.ts'
import { PNG_MARK } from '../../../src/formats/png/mark.ts'
import { optimize } from '../../../src/index.ts'
import { open, photo } from '../../images.ts'

describe('a palette that others have chosen', () => {
  let theirs: Buffer
  beforeAll(async () => {
    theirs = await open(photo(300, 200)).blur(2).png({ palette: true, dither: 0, compressionLevel: 9 }).toBuffer()
  })

  it.each(['fast', 'default'] as const)('loses colours for a score far above the promise, %s', async (effort) => {
    const { data, score = 100 } = await optimize(theirs, { effort })
    expect(data.length).toBeLessThan(theirs.length * 0.95)
    expect(score).toBeGreaterThanOrEqual(88)
    expect(score).toBeLessThan(100)
    expect((await sharp(data).metadata()).isPalette).toBe(true)
  })

  it('keeps them where it is a result of ours, and where nothing scores so high', async () => {
    expect((await optimize(PNG_MARK.write(theirs, 80))).score ?? 100).toBe(100)
    expect((await optimize(theirs, { quality: 93 })).score ?? 100).toBe(100)
  })
})

describe('shareOfColours', () => {
  it('allows 15 % less for the promise, and nearly all of the bytes for a score far above it', async () => {
    const palette = await open(photo(300, 200)).png({ palette: true }).toBuffer()
    expect(shareOfColours(palette)).toBe(0.85)
    expect(shareOfColours(palette, { score: 87.9, promise: 80 })).toBe(0.85)
    expect(shareOfColours(palette, { score: 88, promise: 80 })).toBe(0.98)
    expect(shareOfColours(palette, { score: 92, promise: 85 })).toBe(0.85)
    expect(shareOfColours(PNG_MARK.write(palette, 80), { score: 99, promise: 80 })).toBe(0.5)
    expect(shareOfColours(await open(photo()).png().toBuffer())).toBe(1)
  })
})

it.each([
  [60, 88],
  [80, 88],
  [85, 93],
  [88, 96],
  [90, undefined],
])('scoreOfFewer for a promise of %i is %s', (promise, score) => {
  expect(scoreOfFewer(promise)).toBe(score)
})
