import { describe, expect, it } from 'vitest'
import { HEAD_BYTES, weightOf } from '../../src/report/weight.ts'
import { open, photo } from '../images.ts'

describe('weightOf', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('is made of the pixels of a %s', async (name) => {
    const bytes = await open(photo(123, 45)).withMetadata().toFormat(name).toBuffer()
    expect(weightOf(bytes.subarray(0, HEAD_BYTES), bytes.length)).toBe(50_000 + 123 * 45)
    // For a file that is cut off, the estimate depends on the bytes.
    expect(weightOf(bytes.subarray(0, 9), 1000)).toBe(54_000)
  })

  it('knows both other kinds of WebP, and guesses what it does not know', async () => {
    const lossless = await open(photo(70, 30)).webp({ lossless: true }).toBuffer()
    expect(weightOf(lossless, 9)).toBe(50_000 + 70 * 30)
    expect(weightOf(Buffer.from('<svg/>'), 6)).toBe(50_024)
    expect(weightOf(new Uint8Array(), 0)).toBe(50_000)
  })
})
