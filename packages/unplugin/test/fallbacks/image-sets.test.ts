import { describe, expect, it } from 'vitest'
import { withImageSets } from '../../src/fallbacks/image-sets.ts'
import { alternativesFor } from './alternatives-for.ts'

const SET =
  'image-set(url("a.avif") type("image/avif"),url("a.webp") type("image/webp"),url("a.png") type("image/png"))'

describe('withImageSets', () => {
  it.each([
    ['a value', '.a{background-image:url(a.png)}', `.a{background-image:url(a.png);background-image:${SET}}`],
    [
      'a shorthand with quotes',
      `.a { background: #fff url( "a.png" ) no-repeat; color: red }`,
      `.a { background: #fff url( "a.png" ) no-repeat;background:#fff ${SET} no-repeat; color: red }`,
    ],
    [
      '!important',
      '.a{cursor:url(a.png) 2 2,auto!important}',
      `.a{cursor:url(a.png) 2 2,auto!important;cursor:${SET} 2 2,auto!important}`,
    ],
    ['a style attribute', 'background:url(a.png)', `background:url(a.png);background:${SET}`],
    [
      'a frame of an animation',
      '@keyframes x{to{background:url(a.png)}}',
      `@keyframes x{to{background:url(a.png);background:${SET}}}`,
    ],
    [
      'one of several images',
      '.a{mask:url(a.png),url(other.png)}',
      `.a{mask:url(a.png),url(other.png);mask:${SET},url(other.png)}`,
    ],
  ])('follows %s with one of several types', async (_, css, expected) => {
    expect(await withImageSets(css, alternativesFor())).toBe(expected)
  })

  it('changes all images of a declaration at once', async () => {
    const css = await withImageSets('.a{background:url(a.png),url(b.jpg)}', alternativesFor())
    expect(css.match(/image-set\(/g)).toHaveLength(2)
    expect(css).toContain('type("image/png")),image-set(url("b.avif")')
    expect(css).toContain('url("b.jpg") type("image/jpeg"))}')
  })

  it('gives a variable its second value where the browser chooses by type', async () => {
    expect(await withImageSets(':root{--x:url(a.png);--y:1}', alternativesFor())).toBe(
      `:root{--x:url(a.png);@supports (background-image:image-set(url("data:,") type("image/png"))){--x:${SET}};--y:1}`,
    )
  })

  it.each([
    ['.a{background:url(a.png) var(--x)}', /put together from variables/],
    ['.a{--x:url(a.png);--x:none}', /given again/],
    ['@keyframes x{to{--x:url(a.png)}}', /no room for @supports/],
    ['@property --x{initial-value:url(a.png)}', /stands in @property/],
    ['.a{background:image-set(url(a.png) 1x)}', /image-set\(\) already/],
  ])('leaves %s as it is, and says why', async (css, reason) => {
    const alternatives = alternativesFor()
    expect(await withImageSets(css, alternatives)).toBe(css)
    expect(alternatives.taken).toEqual([])
    expect(alternatives.refused.get('a.png')).toMatch(reason)
  })

  it('leaves images without another type alone, and those of others', async () => {
    const css = '.a{background:url(a.png)}.b{background:url(other.png)}.c{background:url(data:image/png;base64,AA)}'
    expect(await withImageSets(css, alternativesFor({ 'a.png': [] }))).toBe(css)
  })

  it('escapes URLs for the string that they stand in', async () => {
    const css = await withImageSets(String.raw`.a{background:url(a\"b.png)}`, alternativesFor())
    expect(css).toContain(String.raw`url("a\"b.avif")`)
  })
})
