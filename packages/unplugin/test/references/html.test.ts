import { LINEAR, growth, processorTime } from '@pixpress/testkit'
import { parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { findInHtml } from '../../src/references/html.ts'
import { replaceReferences } from '../../src/references/replace.ts'
import type { Reference } from '../../src/references/types.ts'
import { AWKWARD_URLS, mutations } from './random.ts'

const found = (html: string): [kind: string, url: string][] => findInHtml(html).map(({ kind, url }) => [kind, url])
const urls = (references: Reference[]): string[] => references.map(({ url }) => url)

const rewrite = (html: string, url: string): string => replaceReferences(html, findInHtml(html), () => url)

const PAGE = `<!doctype html>
<html lang=en><head>
<title>😀 <img src=skipped.png></title>
<link rel="shortcut icon" href='icon.png'><link rel=apple-touch-icon href=touch.png />
<link rel="preload" as="image" href="pre.png" imagesrcset="pre1.png 1x, pre2.png 2x"><link rel="stylesheet" href="skipped.css">
<meta property="og:image" content="og.png"><meta name="description" content="skipped.png">
<style>body { background: url(style.png) } /* url(skipped.png) */</style>
<noscript><style>a{b:url("noscript.png")}</style></noscript>
<script>const a = '<img src="skipped.png">'</script>
</head>
<body style="background: url('body.png')">
<!-- <img src="skipped.png"> -->
<picture><source srcset="p1.png 1x,\n  p2.png 2x"><img alt src = "p.png?a=1&amp;b=2" srcset=p3.png></picture>
<video poster=poster.png><source src=movie.mp4></video><input type=image src=input.png><input src=skipped.png>
<svg><image href="svg1.png" xlink:href='svg2.png'/><style>c{d:url(svg3.png?a&amp;b)}</style></svg>
<template><img src=template.png></template><noscript><img src=ns.png></noscript>
<object data=object.png></object><embed src=embed.png><textarea><img src=skipped.png></textarea>
<p><b style="background:url(&quot;b.png&quot;)">x<p>y</b></p>
<img src="{{ skipped }}"><img src="<%= skipped %>/a.png"><img src="%BASE_URL%skipped.png"><img src="https://h/skipped.png" data-src=skipped.png>
</body></html>`
const PAGE_URLS =
  'icon touch pre pre1 pre2 og style noscript body p1 p2 p p3 poster movie input svg1 svg2 svg3 template ns object embed b'.split(
    ' ',
  )

describe('findInHtml', () => {
  it.each<[string, [kind: string, url: string][]]>([
    ['<img src="a.png">', [['html-src', 'a.png']]],
    ["<img src='a b.png'>", [['html-src', 'a b.png']]],
    ['<IMG SRC=a.png>', [['html-src', 'a.png']]],
    ['<img src=a.png/>', [['html-src', 'a.png/']]],
    ['<img src=a.png />', [['html-src', 'a.png']]],
    ['<img\r\nsrc\n=\t" \r\n a.png\n">', [['html-src', 'a.png']]],
    ['<img src="a\r\nb.png">', [['html-src', 'ab.png']]],
    ['<img src="a.png" src="b.png">', [['html-src', 'a.png']]],
    ['<img src srcset="" alt=""><img src=""><img src=" "><img src=>', []],
    ['<img src="a&amp;b&#32;c&#x41;&copy;&copy=1&copyx&notit;&lt">', [['html-src', 'a&b cA©&copy=1&copyx&notit;<']]],
    ['<img src="&NotEqualTilde;&#x1F600;.png">', [['html-src', '\u2242\u0338😀.png']]],
    ['<img src="a" b.png">', [['html-src', 'a']]],
    ['<image src=a.png>', [['html-src', 'a.png']]],
    ['<img vite-ignore src=a.png><img src=b.png>', [['html-src', 'b.png']]],
    [
      '<img srcset="a.png, b.png 2x" src=c.png>',
      [
        ['html-srcset', 'a.png'],
        ['html-srcset', 'b.png'],
        ['html-src', 'c.png'],
      ],
    ],
    ['<img srcset="data:image/png;base64,AA== 1x, {{ a }} 2x, b,c.png 3x">', [['html-srcset', 'b,c.png']]],
    [
      '<img srcset="a&amp;b.png&#32;1x&#44; c.png">',
      [
        ['html-srcset', 'a&b.png'],
        ['html-srcset', 'c.png'],
      ],
    ],
    ['<video poster=a.png src=b.mp4></video>', [['html-poster', 'a.png']]],
    ['<source src=a.png><audio src=b.mp3></audio>', [['html-src', 'a.png']]],
    ['<input type=IMAGE src=a.png><input type=text src=b.png>', [['html-src', 'a.png']]],
    [
      '<object data=a.svg></object><embed src=b.svg>',
      [
        ['html-src', 'a.svg'],
        ['html-src', 'b.svg'],
      ],
    ],
    ['<link rel="SHORTCUT  Icon" href=a.png>', [['html-icon', 'a.png']]],
    [
      '<link rel=apple-touch-icon href=a.png><link rel=mask-icon href=b.svg>',
      [
        ['html-icon', 'a.png'],
        ['html-icon', 'b.svg'],
      ],
    ],
    [
      '<link rel=apple-touch-startup-image href=a.png><link rel=apple-touch-icon-precomposed href=b.png>',
      [
        ['html-icon', 'a.png'],
        ['html-icon', 'b.png'],
      ],
    ],
    [
      '<link rel=preload as=image href=a.png imagesrcset="b.png 2x">',
      [
        ['html-src', 'a.png'],
        ['html-srcset', 'b.png'],
      ],
    ],
    [
      '<link rel=preload as=font href=a.png><link rel=stylesheet href=b.png><link href=c.png><link rel=iconic href=d.png>',
      [],
    ],
    [
      '<meta property=og:image content=a.png><meta name=og:image:url content=b.png><meta property=og:image:secure_url content=c.png>',
      [
        ['html-meta', 'a.png'],
        ['html-meta', 'b.png'],
        ['html-meta', 'c.png'],
      ],
    ],
    [
      '<meta name=twitter:image content=a.png><meta name=twitter:image:src content=b.png><meta itemprop=image content=c.png>',
      [
        ['html-meta', 'a.png'],
        ['html-meta', 'b.png'],
        ['html-meta', 'c.png'],
      ],
    ],
    [
      '<meta name=msapplication-TileImage content=a.png><meta name=msapplication-square70x70logo content=b.png>',
      [
        ['html-meta', 'a.png'],
        ['html-meta', 'b.png'],
      ],
    ],
    ['<meta property=og:image:width content=100><meta property=og:title content=a.png><meta content=b.png>', []],
    [
      '<svg><image href=a.png /><image xlink:href=b.png /><use href=c.svg#part /><use href=#own /></svg><image href=d.png>',
      [
        ['html-src', 'a.png'],
        ['html-src', 'b.png'],
        ['html-src', 'c.svg#part'],
      ],
    ],
    ['<svg><style>a{b:url(c.png?d&amp;e)}</style></svg>', [['html-style', 'c.png?d&e']]],
    ['<svg><style><![CDATA[a{b:url(c.png?d&amp;e)}]]></style></svg>', [['html-style', 'c.png?d&amp;e']]],
    [
      '<style>a{b:url(c.png?d&amp;e) image-set("f.png" 1x)}</style>',
      [
        ['html-style', 'c.png?d&amp;e'],
        ['html-style', 'f.png'],
      ],
    ],
    [
      '<style type="text/css">a{b:url(c.png)}</style><style type="text/less">a{b:url(d.png)}</style>',
      [['html-style', 'c.png']],
    ],
    ['<svg><style /><g></g></svg>a{b:url(c.png)}', []],
    ['<style></style><style>a{b:url(c.png)}', [['html-style', 'c.png']]],
    ['<p style="a:url(&quot;b c.png&quot;)">', [['html-style', 'b c.png']]],
    ['<p style=\'a:url("b.png"),url({{ c }})\'>', [['html-style', 'b.png']]],
    ['<p style=background:url(a.png)>', [['html-style', 'a.png']]],
    [
      '<tr style="a:url(b.png)"><td><img src=c.png>',
      [
        ['html-style', 'b.png'],
        ['html-src', 'c.png'],
      ],
    ],
    [
      '<table><img src=a.png><tr><td><img src=b.png></table>',
      [
        ['html-src', 'a.png'],
        ['html-src', 'b.png'],
      ],
    ],
    [
      '<template><img src=a.png><template><img src=b.png></template></template>',
      [
        ['html-src', 'a.png'],
        ['html-src', 'b.png'],
      ],
    ],
    ['<html><head><noscript><img src=a.png></noscript></head></html>', [['html-src', 'a.png']]],
    [
      '<!-- <img src=a.png> --><script><img src=b.png></script><textarea><img src=c.png></textarea><title><img src=d.png></title><iframe><img src=e.png></iframe>',
      [],
    ],
    ['<img data-src=a.png lowsrc=b.png><a href=c.png><div src=d.png>', []],
    [
      '<img src=#a><img src=//h/a.png><img src=data:image/png;base64,AA><img src=about:blank><img src=HTTPS://h/a.png>',
      [],
    ],
    [
      '<img src="{{ a }}"><img src="{% static \'a.png\' %}"><img src="<%= a %>"><img src="%BASE_URL%a.png"><img src="${a}.png">',
      [],
    ],
    ['<img <%= a %> src="b.png"><%- include("c") %><? php ?><img src=d.png>', [['html-src', 'd.png']]],
    ['{{#each a}}<img src="b.png">{{/each}}', [['html-src', 'b.png']]],
    ['', []],
    ['<', []],
    ['<img src="a.png', []],
  ])('finds in %j', (html, expected) => {
    expect(found(html)).toEqual(expected)
    const references = findInHtml(html)
    expect(replaceReferences(html, references, ({ url }) => url)).toBe(html)
  })

  it.each([
    ['', PAGE],
    ['\uFEFF', PAGE],
    ['\uFEFF\r\n', PAGE.replaceAll('\n', '\r\n')],
    ['<!--😀-->', PAGE.replaceAll('\n', '\r')],
  ])('gives offsets in a whole page (%#)', (before, page) => {
    const html = before + page
    const references = findInHtml(html)
    expect(urls(references).map((url) => url.replace(/\..*/, ''))).toEqual(PAGE_URLS)
    for (const { start, end, url } of references) expect(html.slice(start, end).replaceAll('&amp;', '&')).toBe(url)
    expect(replaceReferences(html, references, ({ url }) => url)).toBe(html)
    expect(html).toContain('skipped')
  })

  it.each([
    ['<img src="a.png">', true],
    ['<img srcset="a.png 2x" width="40">', true],
    ['<img src="a.png" width="40" height="">', true],
    ['<img src="a.png" style="max-height: 40px">', true],
    ['<img src="a.png" width="40" height="30">', undefined],
    ['<img src="a.png" style="width:40px;height:30px">', undefined],
    ['<img src="a.png" style="aspect-ratio: 4 / 3">', undefined],
    ['<input type="image" src="a.png">', undefined],
  ])('marks an <img> without width and height: %s', (html, expected) => {
    expect(findInHtml(html)[0]!.isUnsized).toBe(expected)
  })

  it('gives formatting elements once that the tree holds several times', () => {
    const html = '<p><b style="a:url(b.png)">x<p>y<p>z'
    expect(found(html)).toEqual([['html-style', 'b.png']])
  })

  const places = [
    '<img src="a.png" alt>',
    "<img src='a.png' alt>",
    '<img src=a.png alt>',
    '<p style="b:url(a.png)">',
    '<p style=\'b:url("a.png")\'>',
    '<p style=b:url(a.png)>',
    "<p style=\"b:url('a.png');c:image-set('a.png' 1x)\">",
    '<style>b{c:url(a.png);d:url("a.png")}</style>',
    '<svg><style>b{c:url(a.png)}</style><image href="a.png"/></svg>',
    '<meta property=og:image content="a.png">',
  ]
  it.each(AWKWARD_URLS)('writes %j so that it is found again', (url) => {
    for (const html of places) {
      const references = findInHtml(html)
      const rewritten = replaceReferences(html, references, () => url)
      expect(urls(findInHtml(rewritten)), rewritten).toEqual(references.map(() => url))
    }
    for (const html of ['<img srcset="a.png 1x, a.png 2x">', "<img srcset='a.png'>", '<img srcset=a.png alt>']) {
      const references = findInHtml(html)
      const rewritten = replaceReferences(html, references, () => url)
      expect(urls(findInHtml(rewritten)).map((each) => each.replaceAll('%20', ' '))).toEqual(references.map(() => url))
    }
  })
  it('escapes only what it must', () => {
    expect(rewrite('<img src="a.png">', "b 'c'.webp?d&e")).toBe('<img src="b \'c\'.webp?d&amp;e">')
    expect(rewrite('<img src=a.png alt>', 'b c.webp')).toBe('<img src=b&#32;c.webp alt>')
    expect(rewrite('<p style="a:url(b.png)">', 'c d.webp')).toBe('<p style="a:url(&quot;c d.webp&quot;)">')
    expect(rewrite('<style>a{b:url(c.png)}</style>', 'd&e.webp')).toBe('<style>a{b:url(d&e.webp)}</style>')
  })

  it.each(['<img src=a.png>', '&amp;', '<', '<img src="', '<p style="b:url(c.png)">', '<!--', '<style>'])(
    'takes any length of %j in linear time',
    (unit) => {
      const make = (times: number): string => `<img src=first.png>${unit.repeat((10_000 / unit.length) * times)}`
      expect(growth(make, (html) => expect(findInHtml(html)[0]!.url).toBe('first.png'))).toBeLessThan(LINEAR)
    },
  )
  it.each(['a&amp;b.png 1x, ', '&copy;', '&nonsense;', '  ', ','])('takes attributes of %j in linear time', (unit) => {
    const make = (times: number): string => {
      const value = unit.repeat((10_000 / unit.length) * times)
      return `<img srcset="${value}" alt="${value}"><p style="${value};a:url(b.png)"><img src="${value}c.png">`
    }
    expect(growth(make, (html) => expect(urls(findInHtml(html))).toContain('b.png'))).toBeLessThan(LINEAR)
  })
  // For each element the parser looks at all that are open around it.
  it.each(['<div>', '<svg>', '<b style="a:url(b)"><p>'])('takes deep nesting of %j as the parser does', (unit) => {
    const html = `<img src=first.png>${unit.repeat(150_000 / unit.length)}`
    const find = processorTime(html, (text) => expect(findInHtml(text)[0]!.url).toBe('first.png'), 2)
    const parse = processorTime(html, (text) => void parseFragment(text, { sourceCodeLocationInfo: true }), 2)
    expect(find / parse).toBeLessThan(10)
  })

  it('never throws and always gives offsets in order that can be replaced', () => {
    let count = 0
    for (const html of mutations(PAGE, 1500, 2)) {
      const references = findInHtml(html)
      expect(replaceReferences(html, references, ({ url }) => url)).toBe(html)
      let previousEnd = 0
      for (const { start, end } of references) {
        if (start < previousEnd || end <= start) throw new Error(`Offsets out of order in ${JSON.stringify(html)}`)
        previousEnd = end
      }
      count += references.length
    }
    expect(count).toBeGreaterThan(3000)
  })
})
