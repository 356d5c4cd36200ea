import { describe, expect, it } from 'vitest'
import { withPictures } from '../../src/fallbacks/pictures.ts'
import { alternativesFor } from './alternatives-for.ts'

const SIZES = { 'a.png': { width: 120, height: 90 }, 'b.png': { width: 240, height: 180 } }
const MARK = ' data-pixpress-ratio="4/3"'
const STYLE = `<style>@layer pixpress{:where(img[data-pixpress-ratio="4/3"]){aspect-ratio:auto 4/3}}</style>`

const told = (html: string, stylesheets: readonly string[] = []): Promise<string> =>
  withPictures(html, alternativesFor({ 'a.png': [], 'b.png': [] }, SIZES), stylesheets)

const page = (body: string, head = ''): string => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

describe('the proportions of a page', () => {
  it('are those of each <img> without width and height, and stand before every stylesheet', async () => {
    const head = '<meta charset=utf-8><title>x</title><link rel=stylesheet href=a.css>'
    const html = page('<img src=a.png><img width=5 src="b.png">', head)
    expect(await told(html)).toBe(
      html
        .replace('<meta charset=utf-8>', `<meta charset=utf-8>${STYLE}`)
        .replace('<img src', `<img${MARK} src`)
        .replace('<img width', `<img${MARK} width`),
    )
  })

  it('stand in a page whose head is not written', async () => {
    const html = '<!doctype html><meta charset=utf-8><title>x</title><img src=a.png>'
    expect(await told(html)).toBe(`<!doctype html><meta charset=utf-8>${STYLE}<title>x</title><img${MARK} src=a.png>`)
    const late = page('<img src=a.png>', '<style></style><meta charset=utf-8>')
    expect(await told(late)).toContain(`<head>${STYLE}<style>`)
    expect(await told(page('<img src=a.png>'))).toContain(`<head>${STYLE}</head>`)
  })

  it('are left out of a part of a page, and where a policy may forbid them', async () => {
    const part = '<p><img src="a.png"></p>'
    expect(await told(part)).toBe(part)
    const strict = page('<img src="a.png">', `<meta http-equiv="Content-Security-Policy" content="style-src 'self'">`)
    expect(await told(strict)).toBe(strict)
  })

  it('are not told of an image that says its size, or is one of several pictures', async () => {
    for (const body of [
      '<img src="a.png" width="4" height="3">',
      '<img src="other.png">',
      '<img src="a.png" srcset="a.png 1x, other.png 2x">',
      '<picture><source media="(width>9px)" srcset="other.png"><img src="a.png"></picture>',
    ]) {
      expect(await told(page(body))).toBe(page(body))
    }
  })

  it('are those of the largest of a srcset, unless it holds other pictures', async () => {
    const sizes = { 'a.png': { width: 101, height: 76 }, 'b.png': { width: 400, height: 300 } }
    const html = page('<img srcset="a.png 101w, b.png 400w">')
    const alternatives = alternativesFor({ 'a.png': [], 'b.png': [] }, sizes)
    expect(await withPictures(html, alternatives, [])).toContain(`<img${MARK} srcset`)
    const others = alternativesFor({ 'a.png': [], 'b.png': [] }, { ...sizes, 'a.png': { width: 100, height: 100 } })
    expect(await withPictures(html, others, [])).toBe(html)
  })

  it.each([
    ['.x { contain: strict }', false],
    ['img { contain: layout paint }', true],
    ['p { & img { content-visibility: auto } }', false],
    ['.other { contain: size }', true],
  ])('know images whose own proportions do not count: %s', async (css, isTold) => {
    const html = await told(page('<img class="x" src="a.png">'), [css])
    expect(html.includes('data-pixpress-ratio')).toBe(isTold)
  })
})
