import { describe, expect, it } from 'vitest'
import { widthsFor } from '../../src/audit/drawn-widths.ts'
import { editWidths, sourceOf } from '../../src/audit/sources.ts'
import { parseViewports } from '../../src/audit/viewports.ts'

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

  it.each(['/twice-Bx3k9a2Q.jpg', '/hero-narrow.jpg', '/heroine-Bx3k9a2Q.jpg', '/3f9a1c22.jpg', '/assets/'])(
    'does not guess at %s',
    (path) => {
      expect(sourceOf(`http://127.0.0.1:1${path}`, images)).toBeUndefined()
    },
  )
})

describe('widthsFor', () => {
  it('takes the wider one of two that are nearly alike, and nothing beyond the source', () => {
    expect(widthsFor([780, 390, 400, 2560, 1280])).toEqual([400, 780, 1280, 2560])
    expect(widthsFor([780, 2560, 1280], 1200)).toEqual([780, 1200])
    expect(widthsFor([], 1200)).toEqual([])
  })
})

/** The files that change, of a project whose one image needs 390 and 780 pixels. */
const edited = (texts: Record<string, string>, images: string[] = ['src/hero.jpg']): string[] =>
  editWidths({ images, texts: new Map(Object.entries(texts)) }, new Map([['src/hero.jpg', [390, 780]]])).changes.map(
    ({ file, after }) => `${file}: ${after}`,
  )

describe('editWidths', () => {
  it.each([
    ["import a from './hero.jpg?w=2400&as=srcset'", "import a from './hero.jpg?w=390;780&as=srcset'"],
    ["'../img/hero.jpg?format=webp&w=400;800&as=picture'", "'../img/hero.jpg?format=webp&w=390;780&as=picture'"],
    ['url("../img/hero.jpg?format=webp&w=2400")', 'url("../img/hero.jpg?format=webp&w=780")'],
    ['<img src="hero.jpg?w=1">', '<img src="hero.jpg?w=780">'],
  ])('changes the value alone: %s', (before, after) => {
    expect(edited({ 'src/a.js': before, 'src/b.js': 'nothing' })).toEqual([`src/a.js: ${after}`])
  })

  it.each([
    ['two places', { 'a.js': "'./hero.jpg?w=1'", 'b.js': "'./hero.jpg?w=2'" }],
    ['two places, one without a query', { 'a.js': "'./hero.jpg?w=1'", 'b.js': "'./hero.jpg'" }],
    ['no width', { 'a.js': "'./hero.jpg?format=webp'" }],
    ['two widths', { 'a.js': "'./hero.jpg?w=1&w=2'" }],
    ['widths that are no numbers', { 'a.js': "'./hero.jpg?w=auto'" }],
    ['widths that are right', { 'a.js': "'./hero.jpg?w=390;780'" }],
    ['several widths whose number decides what it is', { 'a.js': "'./hero.jpg?w=1;2'" }],
    ['another image', { 'a.js': "'./super-hero.jpg?w=1'" }],
    ['a template', { 'a.js': '`./hero.jpg?w=${width}`' }],
  ])('leaves %s as they are', (_, texts) => {
    expect(edited(texts as unknown as Record<string, string>)).toEqual([])
  })

  it('leaves an image alone of whose name there is another', () => {
    expect(edited({ 'a.js': "'./hero.jpg?w=1'" }, ['src/hero.jpg', 'old/hero.jpg'])).toEqual([])
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
