import { describe, expect, it } from 'vitest'
import { chosenUrl } from '../../../src/project/delivered/choice.ts'
import type { Source } from '../../../src/project/delivered/choice.ts'

const phone = { width: 390, height: 844, ratio: 3 }
const laptop = { width: 1280, height: 800, ratio: 2 }
const plain = { width: 1000, height: 800, ratio: 1 }

const chosen = (viewport: typeof phone, ...sources: readonly Source[]): string | undefined =>
  chosenUrl({ sources }, viewport)

describe('the URL of a picture', () => {
  it('is the only one', () => {
    expect(chosen(phone, { src: 'a.png' })).toBe('a.png')
    expect(chosen(phone, {})).toBeUndefined()
  })

  it.each([
    ['40vw', '400w'],
    ['50vw', '800w'],
    ['(min-width: 1200px) 400px, 100vw', '1600w'],
    ['(min-width: 900px) and (max-width: 1100px) 800px, 10px', '800w'],
    ['(width >= 900px) calc(100vw - 200px), 10px', '800w'],
    ['(600px <= width < 1000px) 10px, min(100vw, 700px)', '800w'],
    ['clamp(100px, 25vw + 4rem, 300px)', '400w'],
    ['not all and (max-width: 500px) 350px', '400w'],
    ['auto', '1600w'],
  ])('is the smallest that is large enough for %s', (sizes, expected) => {
    const srcset = '400w 400w, 800w 800w, 1600w 1600w'
    expect(chosen(plain, { src: 'x', srcset, sizes })).toBe(expected)
  })

  it('has as many pixels as the screen, where there are so many', () => {
    const source = { src: '1', srcset: '2 2x, 4 4x' }
    expect([plain, laptop, phone].map((viewport) => chosen(viewport, source))).toEqual(['1', '2', '4'])
    expect(chosen(phone, { srcset: 'small 320w, large 640w' })).toBe('large')
  })

  it('is that of the first source whose condition holds and whose type is shown', () => {
    const sources: Source[] = [
      { srcset: 'a.jxl', type: 'image/jxl' },
      { srcset: 'portrait.avif', type: 'image/avif', media: '(orientation: portrait)' },
      { srcset: 'wide.avif', type: 'image/avif', media: '(min-width: 70em)' },
      { src: 'a.png' },
    ]
    expect([phone, laptop, plain].map((viewport) => chosen(viewport, ...sources))).toEqual([
      'portrait.avif',
      'wide.avif',
      'a.png',
    ])
  })

  it('may have commas', () => {
    expect(chosen(plain, { srcset: '/w_100,h_50/a.png 1x, /w_200,h_100/a.png 2x' })).toBe('/w_100,h_50/a.png')
  })
})
