import { describe, expect, it } from 'vitest'
import { widthsFor } from '../../src/rules/drawn-widths.ts'
import { sourceOf } from '../../src/sources/sources.ts'
import { parseViewports } from '../../src/visit/viewports.ts'

describe('sourceOf', () => {
  const images = ['public/logo.png', 'src/hero-wide.jpg', 'src/hero.jpg', 'src/a/twice.jpg', 'src/b/twice.jpg']

  it.each([
    ['http://127.0.0.1:1/assets/hero-Bx3k9a2Q.avif', 'src/hero.jpg'],
    ['http://127.0.0.1:1/assets/hero-640-Bx3k9a2Q.avif', 'src/hero.jpg'],
    ['http://127.0.0.1:1/hero-640.webp', 'src/hero.jpg'],
    ['http://127.0.0.1:1/hero.3f9a1c22.webp', 'src/hero.jpg'],
    ['http://127.0.0.1:1/assets/hero-wide-Bx3k9a2Q.webp', 'src/hero-wide.jpg'],
    ['http://127.0.0.1:1/logo.png', 'public/logo.png'],
    ['http://127.0.0.1:5173/src/a/twice.jpg?import', 'src/a/twice.jpg'],
  ])('knows %s', (url, source) => {
    expect(sourceOf(url, images)).toBe(source)
  })

  it.each([
    ['/img/my%20logo%202.png', 'src/img/my logo 2.png'],
    ['/img/my%20logo%202-Bx3k9a2Q.webp', 'src/img/my logo 2.png'],
    ['/%D0%9A%D0%B0%D1%82%D0%BE%D0%BA-640.webp', 'src/img/Каток.jpg'],
    ['/src/img/Каток.jpg', 'src/img/Каток.jpg'],
    ['/uploads/100%25%20ice.png', 'public/uploads/100% ice.png'],
    ['/uploads/100%%20ice.png', 'public/uploads/100% ice.png'],
  ])('knows a name with blanks, other letters and signs at %s', (url, source) => {
    const named = ['public/uploads/100% ice.png', 'src/img/my logo 2.png', 'src/img/Каток.jpg']
    expect(sourceOf(`http://127.0.0.1:1${url}`, named)).toBe(source)
  })

  it.each([
    '/twice-Bx3k9a2Q.jpg',
    '/hero-narrow.jpg',
    '/heroine-Bx3k9a2Q.jpg',
    '/3f9a1c22.jpg',
    '/assets/',
    '/%E0%A4%A.jpg',
  ])('does not guess at %s', (path) => {
    expect(sourceOf(`http://127.0.0.1:1${path}`, images)).toBeUndefined()
  })
})

describe('widthsFor', () => {
  it('takes the wider one of two that are nearly alike, and nothing beyond the source', () => {
    expect(widthsFor([780, 390, 400, 2560, 1280])).toEqual([400, 780, 1280, 2560])
    expect(widthsFor([780, 2560, 1280], 1200)).toEqual([780, 1200])
    expect(widthsFor([], 1200)).toEqual([])
  })
})

describe('parseViewports', () => {
  it('takes widths, heights and densities', () => {
    expect(parseViewports('390, 1280@2,400x800@1.5')).toEqual([
      { name: '390', width: 390, height: 780, ratio: 1 },
      { name: '1280@2', width: 1280, height: 800, ratio: 2 },
      { name: '400x800@1.5', width: 400, height: 800, ratio: 1.5 },
    ])
  })

  it.each(['', '390,', 'phone', '390@9', '7', '390x', '390,390'])('refuses %j', (text) => {
    expect(() => parseViewports(text)).toThrow("'--viewports'")
  })
})
