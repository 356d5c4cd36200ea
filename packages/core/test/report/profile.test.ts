import { describe, expect, it } from 'vitest'
import { renderProfile, wantsProfile } from '../../src/report/profile.ts'
import type { Work } from '../../src/base/types.ts'
import { image, reportOf } from './images.ts'

const work: Work = {
  encodes: { 'image/avif': 3, 'image/jpeg': 1 },
  probes: 4,
  scores: 5,
  packs: 2,
  pixels: 1_500_000,
  milliseconds: {
    total: 1000,
    wait: 250,
    decode: 50,
    quantise: 0,
    score: 200,
    pack: 100,
    encode: { 'image/avif': 500, 'image/jpeg': 50 },
  },
}

describe('profile', () => {
  it('sums up the images that were worked on', () => {
    const report = reportOf([
      image('a.jpg', 900, 800, { work }),
      image('b.jpg', 900, 800, { work }),
      image('c.jpg', 900, 800, { cached: true }),
    ])
    expect(renderProfile(report)).toBe(
      [
        'pixpress  profile  2 worked on  2.0 s of work  500 ms of waiting',
        '  8 encodes (6 avif, 2 jpg)  8 probes  10 scores  4 packs  3.0 megapixels',
        '  decode 100 ms 5%  quantise 0 ms 0%  score 400 ms 20%  pack 200 ms 10%  encode avif 1.0 s 50%  encode jpg 100 ms 5%  other 200 ms 10%',
      ].join('\n'),
    )
  })

  it('has only noughts where all came from the cache', () => {
    const text = renderProfile(reportOf([image('a.jpg', 900, 800, { cached: true })]))
    expect(text).toContain('profile  0 worked on  0 ms of work')
    expect(text).toContain('  0 encodes  0 probes')
  })

  it('is printed for PIXPRESS_PROFILE=1 alone', () => {
    expect(wantsProfile({ PIXPRESS_PROFILE: '1' })).toBe(true)
    expect(wantsProfile({ PIXPRESS_PROFILE: '0' })).toBe(false)
    expect(wantsProfile({})).toBe(false)
  })
})
