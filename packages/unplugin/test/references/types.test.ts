import { describe, expect, it } from 'vitest'
import { findInDeclaration } from '../../src/references/css.ts'
import { findInHtml } from '../../src/references/html.ts'
import { useOf } from '../../src/references/types.ts'

const uses = (references: ReturnType<typeof findInHtml>): [string, string][] =>
  references.map((each) => [each.url, useOf(each)])

describe('useOf', () => {
  it('keeps the type of icons, social cards, documents and whatever declares one in HTML', () => {
    const html = `<link rel="icon" type="image/png" href="a.png"><link rel="icon" href="b.png"><meta property="og:image" content="c.png">
      <picture><source type="image/webp" srcset="d.webp 1x, e.webp 2x"><source srcset="f.png"><img src="g.png"></picture>
      <picture><source media="print" srcset="j.png"><img src="k.png"></picture><picture><p><source type="image/webp" srcset="l.webp"></p><img src="m.png"></picture>
      <object data="n.png"></object><embed src="o.png"><link rel="preload" as="image" href="p.png">
      <link rel="preload" as="image" type="image/avif" href="h.avif"><input type="image" src="i.png">`
    expect(uses(findInHtml(html))).toEqual([
      ['a.png', 'typed'],
      ['b.png', 'icon'],
      ['c.png', 'icon'],
      ['d.webp', 'typed'],
      ['e.webp', 'typed'],
      ['f.png', 'typed'],
      ['g.png', 'typed'],
      ['j.png', 'content'],
      ['k.png', 'content'],
      ['l.webp', 'typed'],
      ['m.png', 'content'],
      ['n.png', 'typed'],
      ['o.png', 'typed'],
      ['p.png', 'content'],
      ['h.avif', 'typed'],
      ['i.png', 'content'],
    ])
  })

  it('keeps a type that image-set() declares, for that candidate alone', () => {
    const css = 'image-set(url(a.png) type("image/png"), "b.webp" 2x type("image/webp"), "c.png" 1x), url(d.png)'
    expect(uses(findInDeclaration(css))).toEqual([
      ['a.png', 'typed'],
      ['b.webp', 'typed'],
      ['c.png', 'content'],
      ['d.png', 'content'],
    ])
  })
})
