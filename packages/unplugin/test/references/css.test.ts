import { LINEAR, growth } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { findInDeclaration, findInStylesheet, rewriteDeclaration } from '../../src/references/css.ts'
import { replaceReferences } from '../../src/references/replace.ts'
import type { Reference } from '../../src/references/types.ts'
import { AWKWARD_URLS, mutations } from './random.ts'

const shown = (found: Reference[]) =>
  found.map(({ encode, ...facts }) => [facts, encode(facts.url), encode(`b"c'd(e).png`)])

const urls = (references: Reference[]): string[] => references.map(({ url }) => url)

const PAGE = `@charset "utf-8";
@import url("skipped.css") layer(x) screen;
@import 'skipped.png';
@namespace svg url(skipped.png);
/* url(skipped.png) */
.a { background: url(one.png), URL( 'two.png' ) no-repeat; content: "url(skipped.png)" }\r
.b::before{background:linear-gradient(red,blue),url("three\\ 3.png?x=1#y");cursor:url(four.cur) 2 2,auto}
@media (min-width: 1px) { .😀 { background-image: image-set("five.png" 1x, 'six.png' 2x type("image/png"), url(seven.png) 3x) } }
.c { mask: url(#skipped); background: url(data:image/png;base64,AA==), url(https://h/skipped.png), url(//h/skipped.png), url() }
@font-face { src: url(eight.woff2) format("woff2") }
.d { --x: url( nine.png ); background: -webkit-image-set( url("ten.png") 1x ) }`
const PAGE_URLS = ['one', 'two', 'three 3', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

describe('findInDeclaration', () => {
  it('finds in the usual value, which it reads without tokens, what it finds by tokens', () => {
    const values = [
      'url(a.png)', 'url("a b.png") center / cover', "red url( 'a.png'\n) no-repeat,", 'URL(a@2x.png)', 'url(a.png) /* b */',
      'x-url(a.png)', '\u00A0url(a.png)', 'url($image)', 'url(@image)', 'url(#{$a}.png)', 'url()', 'url(data:image/png,a)', 'url(a.png)url(b.png)',
      'url("a.png" 1x)', 'url("a\\62.png")', 'image-set("a.png" 1x)', 'no-repeat/url(a.png)', 'url(a.png), url(b.png)', 'url(a.png) @{x}',
    ] // prettier-ignore
    for (const value of [...values, ...values.flatMap((each, seed) => [...mutations(each, 200, seed)])]) {
      // A comment at the end changes nothing but how it is read.
      expect([value, shown(findInDeclaration(value))]).toEqual([value, shown(findInDeclaration(`${value} /**/`))])
    }
  })

  it.each<[string, string[]]>([
    ['url(a.png)', ['a.png']],
    ['URL(a.png)', ['a.png']],
    ['u\\72l(a.png)', ['a.png']],
    ['url("a.png")', ['a.png']],
    ["url(\n 'a b.png'\t)", ['a b.png']],
    ['url(  a.png\n)', ['a.png']],
    ['url(a\\ b\\(1\\).png)', ['a b(1).png']],
    ['url("a\\22 b.png")', ['a"b.png']],
    ['url(a\\28 b\\29.png)', ['a(b).png']],
    ['url("a\\\nb.png")', ['ab.png']],
    ['url("a.png" crossorigin(anonymous))', ['a.png']],
    ['url("a.png"/* c */)', ['a.png']],
    ['red url(a.png) no-repeat, url(b.png)', ['a.png', 'b.png']],
    ['cross-fade(url(a.png) 50%, image-set(url(b.png) 1x))', ['a.png', 'b.png']],
    ['image-set("a.png" 1x, "b.png" type("image/avif"))', ['a.png', 'b.png']],
    ['image-set("a.png"type("x.png")1x,"b.png")', ['a.png', 'b.png']],
    ['-WEBKIT-image-set("a.png" 1x)', ['a.png']],
    ['image-set(linear-gradient(red, "x.png") 1x, "b.png" 2x)', ['b.png']],
    ['var(--x, url(a.png))', ['a.png']],
    ['"url(a.png)"', []],
    ['\'image-set("a.png" 1x)\'', []],
    ['/* url(a.png) */ url(b.png) /* url(c.png)', ['b.png']],
    ['asset-url(a.png) my-url("a.png") map.url("a.png") src("a.png")', []],
    ['url(a b.png) url(c.png)', ['c.png']],
    ['url(a"b.png) url(c.png)', ['c.png']],
    ['url(a(b).png) url(c.png)', ['c.png']],
    ['url("a\nb.png) url(c.png)', ['c.png']],
    ['url(a.png', []],
    ['url("a.png"', []],
    ['url("a.png', []],
    ['url()', []],
    ['url("") url( ) url("  ")', []],
    ['url(#a) url("#b") url(data:image/png;base64,AA==) url(https://h/a.png) url(//h/a.png) url(about:blank)', []],
    ['none', []],
    ['', []],
    // Computed by a preprocessor or a template engine.
    ['url($var) url(@var) url($base + "/a.png") url("a" + $b)', []],
    ['url("#{$p}/a.png") url("i/#{$n}.png") url("@{p}/a.png") url(i/@{n}.png) url("${x}.png") url("{{ x }}")', []],
    ['image-set("a" + $b 1x, $c + "d.png" 2x, "e.png" 3x)', ['e.png']],
  ])('finds in %j', (value, expected) => {
    const found = findInDeclaration(value)
    expect(urls(found)).toEqual(expected)
    for (const { start, end, encode, url } of found) expect(encode(url)).toBe(value.slice(start, end))
  })

  it('tells candidates of image-set() from other URLs', () => {
    const found = findInDeclaration(
      'url(a.png), url("b.png"), image-set(url(c.png) 1x, url("d.png") 2x, "e.png" 3x), url(f.png)',
    )
    expect(found.map(({ kind }) => kind)).toEqual([
      'css-url',
      'css-url',
      'css-image-set',
      'css-image-set',
      'css-image-set',
      'css-url',
    ])
  })
  it('gives offsets of the raw URL, without quotes', () => {
    const value = 'url( "a\\22.png" ), url( b.png ), image-set( \'c.png\' 1x )'
    expect(findInDeclaration(value).map(({ start, end }) => value.slice(start, end))).toEqual([
      'a\\22.png',
      'b.png',
      'c.png',
    ])
  })
})

describe('rewriteDeclaration', () => {
  it.each(AWKWARD_URLS)('writes %j so that it is found again', (url) => {
    for (const value of [
      'url(a.png)',
      'url( a.png )',
      "url('a.png') x",
      'url("a.png")',
      'image-set("a.png" 1x, \'a.png\' 2x, url(a.png) 3x)',
    ]) {
      const rewritten = rewriteDeclaration(value, () => url)
      expect(urls(findInDeclaration(rewritten))).toEqual(findInDeclaration(value).map(() => url))
      expect(rewritten).not.toContain('</')
    }
  })
  it('quotes only where it must', () => {
    expect(rewriteDeclaration('url(a.png) x', () => '/b.webp')).toBe('url(/b.webp) x')
    expect(rewriteDeclaration('url(a.png) x', () => 'b c.webp')).toBe('url("b c.webp") x')
    expect(rewriteDeclaration("url('a.png') x", () => "it's.webp")).toBe("url('it\\'s.webp') x")
  })
  it('keeps what is not to be replaced', () => {
    expect(rewriteDeclaration('url(a.png), url(b.png)', ({ url }) => (url === 'a.png' ? 'c.png' : undefined))).toBe(
      'url(c.png), url(b.png)',
    )
  })
})

describe('findInStylesheet', () => {
  it.each([
    ['', PAGE],
    ['\uFEFF', PAGE],
    ['', PAGE.replaceAll(/\r?\n/g, '\r\n')],
  ])('finds in a whole stylesheet (%#)', (before, page) => {
    const css = before + page
    const found = findInStylesheet(css)
    expect(urls(found).map((url) => url.replace(/\..*/, ''))).toEqual(PAGE_URLS)
    for (const { start, end, url } of found) expect(css.slice(start, end).replace('\\', '')).toBe(url)
    expect(replaceReferences(css, found, ({ url }) => url)).toBe(css)
  })

  it.each<[string, string[]]>([
    ['@import url(a.png) supports(background: url(b.png)); a { b: url(c.png) }', ['c.png']],
    ['@IMPORT "a.css"; @media x { a { b: url(c.png) } }', ['c.png']],
    ['@media x { @import url(a.png) } a { b: url(c.png) }', ['c.png']],
    ['@imported url(a.png)', ['a.png']],
    // An error ends with its declaration.
    ['a { b: image-set("x.png" 1x; } c { content: "d.png" } e { f: url(g.png) }', ['x.png', 'g.png']],
    ['a { b: "unclosed; }\nc { d: url(e.png) }', ['e.png']],
    ['a { b: \\', []],
    ['a::after{content:"\\"url(a.png)"}b{c:url(d.png)}', ['d.png']],
    ['<!-- a { b: url(c.png) } -->', ['c.png']],
  ])('finds in %j', (css, expected) => expect(urls(findInStylesheet(css))).toEqual(expected))

  it('reads line comments only in languages that have them', () => {
    const css = "// url(a.png) it's\na { b: url(http://h/c.png) url(d.png) } // url(e.png)"
    for (const syntax of ['scss', 'less', 'sass', 'stylus'] as const)
      expect(urls(findInStylesheet(css, { syntax }))).toEqual(['d.png'])
    expect(urls(findInStylesheet('//cdn/* x */ url(a.png)'))).toEqual(['a.png'])
    expect(urls(findInStylesheet('// url(a.png)', { syntax: 'css' }))).toEqual(['a.png'])
  })
  it('ends at-rules of indented languages with their line', () => {
    const sass = '@import url(a.css)\nbody\n  background: url(b.png)\n'
    expect(urls(findInStylesheet(sass, { syntax: 'sass' }))).toEqual(['b.png'])
    expect(urls(findInStylesheet(sass))).toEqual([])
  })
  it("reads preprocessors' text", () => {
    const scss = `@use "sass:map";
$a: "x.png"; @mixin m($b: url(b.png)) { .#{$c} & { background: image-set("#{$d}.png" 1x, #{if(true, "y.png", "z.png")} 2x, "e.png" 3x) } }
.f { @include m(url("g.png")); background: url($a) url(#{$h}/i.png); &:hover { background: url(j.png) } }`
    expect(urls(findInStylesheet(scss, { syntax: 'scss' }))).toEqual(['b.png', 'e.png', 'g.png', 'j.png'])
    const less =
      '@a: "x.png"; .b when (@c) { background+: url("@{d}/e.png"), url(@a), ~"url(f.png)"; .mixin(url("g.png"); h); }'
    expect(urls(findInStylesheet(less, { syntax: 'less' }))).toEqual(['g.png'])
  })

  it.each([
    'url(',
    'url("',
    'url(a.png);',
    'url("a.png")',
    'image-set("a.png" 1x',
    'url(a"',
    '"\\',
    '(#{}',
    '/*',
    '/* */',
    '\\',
    '@import ',
    '((',
    'a{b:url(c)}',
    '  ',
    '{(',
    'url(\\',
  ])('takes any length of %j in linear time', (unit) => {
    const make = (times: number): string => `url(a)${unit.repeat((20_000 / unit.length) * times)}`
    expect(growth(make, (css) => expect(findInStylesheet(css)[0]!.url).toBe('a'))).toBeLessThan(LINEAR)
  })
  it('takes URLs of megabytes', () => {
    const data = `data:font/woff2;base64,${'A'.repeat(12_000_000)}`
    expect(urls(findInStylesheet(`a{b:url(${data});c:url("${data}");d:url(e.png)}`))).toEqual(['e.png'])
  })

  it('never throws and always gives offsets in order that can be replaced', () => {
    let found = 0
    for (const css of mutations(PAGE, 3000, 1)) {
      for (const syntax of ['css', 'scss', 'sass'] as const) {
        const references = findInStylesheet(css, { syntax })
        expect(replaceReferences(css, references, ({ url }) => url)).toBe(css)
        let previousEnd = 0
        for (const { start, end } of references) {
          if (start < previousEnd || end <= start) throw new Error(`Offsets out of order in ${JSON.stringify(css)}`)
          previousEnd = end
        }
        found += references.length
      }
    }
    expect(found).toBeGreaterThan(3000)
  })
})
