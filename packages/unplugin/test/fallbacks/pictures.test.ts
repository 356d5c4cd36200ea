import { describe, expect, it } from 'vitest'
import { withPictures } from '../../src/fallbacks/pictures.ts'
import { alternativesFor } from './alternatives-for.ts'

const SOURCES =
  '<source type="image/avif" srcset="a.avif" style="display:none"><source type="image/webp" srcset="a.webp" style="display:none">'
const wrapped = (image: string, sources: string = SOURCES): string =>
  `<picture data-pixpress style="display:contents">${sources}${image}</picture>`

describe('withPictures', () => {
  it('puts an <img> behind a source of each type, byte for byte as it was', async () => {
    const image = `<IMG class=x  loading='lazy' alt="&lt;" src=a.png>`
    expect(await withPictures(`<p>${image} b</p>`, alternativesFor(), [])).toBe(`<p>${wrapped(image)} b</p>`)
  })

  it('gives sources what srcset and sizes say', async () => {
    const image = '<img src="a.png" srcset="a.png 1x, b.png 2x" sizes="50vw">'
    expect(await withPictures(image, alternativesFor({ 'b.png': ['image/avif'] }), [])).toBe(
      wrapped(image, '<source type="image/avif" srcset="a.avif 1x, b.avif 2x" sizes="50vw" style="display:none">'),
    )
  })

  it('leaves a srcset alone that holds what has no other type', async () => {
    for (const other of ['other.png', 'data:image/png;base64,AA', 'c.png']) {
      const image = `<img src="a.png" srcset="a.png 1x, ${other} 2x">`
      expect(await withPictures(image, alternativesFor({ 'c.png': [] }), [])).toBe(image)
    }
  })

  it('puts twins before the sources of a picture that is there, with their media, and sources before its image', async () => {
    const page =
      '<picture><source media="(max-width:9px)" srcset="b.jpg"><source type="image/png" srcset="c.png"><img src="a.png"></picture>'
    expect(await withPictures(page, alternativesFor(), [])).toBe(
      '<picture><source type="image/avif" srcset="b.avif" media="(max-width:9px)" style="display:none"><source type="image/webp" srcset="b.webp" media="(max-width:9px)" style="display:none">' +
        `<source media="(max-width:9px)" srcset="b.jpg"><source type="image/png" srcset="c.png">${SOURCES}<img src="a.png"></picture>`,
    )
  })

  it('adds no type to a picture that alternatives it already, unless in some windows alone', async () => {
    const avif = '<source type="image/avif" srcset="own.avif">'
    expect(await withPictures(`<picture>${avif}<img src="a.png"></picture>`, alternativesFor(), [])).toBe(
      `<picture>${avif}<source type="image/webp" srcset="a.webp" style="display:none"><img src="a.png"></picture>`,
    )
    const narrow = '<source media="(max-width:9px)" type="image/avif" srcset="own.avif">'
    expect(await withPictures(`<picture>${narrow}<img src="a.png"></picture>`, alternativesFor(), [])).toBe(
      `<picture>${narrow}${SOURCES}<img src="a.png"></picture>`,
    )
  })

  it('changes CSS of the page, escaped for its place', async () => {
    const page = `<style>.a{background:url(a.png)}</style><p style='background:url(a.png)'></p>`
    const html = await withPictures(page, alternativesFor(), [])
    expect(html).toMatch(
      /<style>\.a\{background:url\(a\.png\);background:image-set\(url\("a\.avif"\) type\("image\/avif"\)/,
    )
    expect(html).toMatch(/style='background:url\(a\.png\);background:image-set\(url\("a\.avif"\)[^']*'>/)
    expect(await withPictures('<p style="background:url(a.png)">', alternativesFor(), [])).toContain(
      'url(&quot;a.avif&quot;)',
    )
  })

  it('preloads the type that the page then shows, and only that', async () => {
    const link = '<link rel="preload" as="image" href="a.png">'
    const shown = `${link}<img src="a.png">`
    expect(await withPictures(shown, alternativesFor(), [])).toContain(
      '<link type="image/avif" rel="preload" as="image" href="a.avif">',
    )
    // Nothing of the page shows it in another type.
    expect(await withPictures(link, alternativesFor(), [])).toBe(link)
    const set =
      '<link rel=preload as=image imagesrcset="a.png 1x, b.png 2x"><img src="a.png" srcset="b.png 2x"><img src="a.png">'
    expect(await withPictures(set, alternativesFor(), [])).toContain('imagesrcset="a.avif 1x, b.avif 2x"')
  })

  it.each([
    ['<link rel="icon" href="a.png">'],
    ['<meta property="og:image" content="a.png">'],
    ['<video poster="a.png"></video>'],
    ['<input type="image" src="a.png">'],
    ['<img data-pixpress="off" src="a.png">'],
    ['<!-- <img src="a.png"> --><script>"<img src=a.png>"</script>'],
    ['<svg><image href="a.png"/></svg>'],
    ['<img>'],
  ])('leaves %s as it is', async (page) => {
    expect(await withPictures(page, alternativesFor(), [])).toBe(page)
  })

  it.each([
    ['.card > img', '<div class="card"><img src="a.png"></div>'],
    ['img + p', '<img src="a.png"><p></p>'],
    ['h1 + img', '<h1></h1><img src="a.png">'],
    ['.stack > * + *', '<div class="stack"><p></p><img src="a.png"></div>'],
    ['img:only-child', '<p><img src="a.png"></p>'],
    ['img:nth-child(2)', '<p><i></i><img src="a.png"></p>'],
    ['picture img', '<p><img src="a.png"></p>'],
    ['p:has(> img)', '<p><img src="a.png"></p>'],
    ['img:first-of-type', '<p><img src="a.png"><img src="other.png"></p>'],
  ])('keeps the type of an <img> whose place %s looks at', async (selector, page) => {
    const alternatives = alternativesFor()
    expect(await withPictures(page, alternatives, [`@media screen{a,${selector}{margin:0}}`])).toBe(page)
    expect(alternatives.refused.get('a.png')).toContain(selector)
  })

  it.each([
    ['.face img{width:inherit;HEIGHT:INHERIT !important}', '<img src="a.png">', ';height:inherit;width:inherit'],
    ['@media print{.face{& img{max-height:inherit}}}', '<img src="a.png">', ';max-height:inherit'],
    ['', '<img style="border-radius: inherit" src="a.png">', ';border-radius:inherit'],
    [
      '*,*::before,:after{box-sizing:inherit}img{color:inherit;font:inherit}b img{width:inherit}',
      '<img src="a.png">',
      '',
    ],
  ])('has the picture hand on what %s has the image inherit', async (css, image, style) => {
    const page = await withPictures(`<p class="face">${image}</p>`, alternativesFor(), [css])
    expect(page).toContain(`<p class="face"><picture data-pixpress style="display:contents${style}">`)
  })

  it.each(['display', 'all'])('keeps the type of an <img> that inherits %s', async (property) => {
    const alternatives = alternativesFor()
    const page = '<p><img src="a.png"></p>'
    expect(await withPictures(page, alternatives, [`p img{${property}:inherit}`])).toBe(page)
    expect(alternatives.refused.get('a.png')).toContain(property)
  })

  it.each([
    ['.card > img', '<div class="box"><img src="a.png"></div>'],
    ['.card > p', '<div class="card"><img src="a.png"></div>'],
    ['img:first-child', '<p><i></i><img src="a.png"></p>'],
    ['.stack > * + *', '<div><p></p><img src="a.png"></div>'],
    ['.a img', '<div class="a"><img src="a.png"></div>'],
  ])('is not kept from a picture by %s where that does not tell', async (selector, page) => {
    expect(await withPictures(page, alternativesFor(), [`${selector}{margin:0}`])).toContain('<picture')
  })

  it('looks at the rules of the page as well, and in templates', async () => {
    const page = '<style>p > img{margin:0}</style><template><p><img src="a.png"></p><b><img src="b.png"></b></template>'
    const html = await withPictures(page, alternativesFor(), [])
    expect(html).toContain('<p><img src="a.png"></p>')
    expect(html).toContain('<b><picture')
  })

  it('keeps the order of pictures that touch each other', async () => {
    expect(await withPictures('<img src="a.png"><img src="a.png">', alternativesFor(), [])).toBe(
      wrapped('<img src="a.png">') + wrapped('<img src="a.png">'),
    )
  })
})
