import { describe, expect, it } from 'vitest'
import { bytesText, changeText, countText } from '../src/figures.ts'
import { explainScore, scoreText, typeLabel } from '../src/words.ts'

describe('figures', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [83_812, '83.8 kB'],
    [99_960, '100 kB'],
    [124_352, '124 kB'],
    [999_499, '999 kB'],
    [999_500, '1.00 MB'],
    [1_234_567, '1.23 MB'],
    [53_000_000, '53.0 MB'],
    [2_500_000_000, '2.50 GB'],
  ])('has three digits at most for %i bytes: %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text)
  })

  it.each([
    [100, 43, '−57 %'],
    [100, 100, '0 %'],
    [100, 112, '+12 %'],
    [10_000, 1, '−99 %'],
    [100, 0, '−100 %'],
    [0, 5, '0 %'],
  ])('tells the change from %i to %i as %s', (before, after, text) => {
    expect(changeText(before, after)).toBe(text)
  })

  it('counts one thing and many', () => {
    expect([countText(1, 'image'), countText(1024, 'image')]).toEqual(['1 image', '1,024 images'])
    expect(countText(0, 'picture is', 'pictures are')).toBe('0 pictures are')
  })
})

describe('words', () => {
  it('names types by their labels, from MIME types and extensions', () => {
    expect(['image/jpeg', 'jpg', 'image/svg+xml', 'webp', 'image/jxl', 'avif'].map(typeLabel)).toEqual([
      'JPEG',
      'JPEG',
      'SVG',
      'WebP',
      'JPEG XL',
      'AVIF',
    ])
  })

  it('explains a score by what people see', () => {
    expect(scoreText(100)).toBe('exact')
    expect(scoreText(80.44)).toBe('80.4')
    expect(explainScore(100)).not.toContain('100')
    expect(explainScore(80.4)).toMatch(/^80\.4 .*100 \(SSIMULACRA2\)/)
    expect(explainScore(-3)).toMatch(/a difference shows\.$/)
  })
})
