import { describe, expect, it } from 'vitest'
import { readFeatures } from '../../../src/formats/svg/features.ts'
import type { Features } from '../../../src/formats/svg/features.ts'
import { rewritingsOf } from '../../../src/formats/svg/tiers.ts'
import { svg } from './svg.ts'

const flagsOf = (document: string): string[] =>
  Object.entries(readFeatures(document))
    .filter(([name, value]) => value === true && name !== 'plainStyles' && name !== 'simpleRules')
    .map(([name]) => name)

const tiersOf = (document: string, isPicture = true): string[] => [
  ...new Set(rewritingsOf(readFeatures(document), isPicture).flatMap((group) => group.map(({ tier }) => tier))),
]

describe('what an SVG holds', () => {
  it.each<[what: string, document: string, flags: (keyof Features)[]]>([
    ['an icon', svg('<g stroke="red"><path d="M0 0h9"/><rect width="9" height="9"/></g>'), []],
    ['a root with a class and an id', svg('', 'class="icon" id="i" aria-hidden="true" data-name="x" role="img"'), []],
    ['a style attribute of plain properties', svg('<path style="fill:#fff;stroke-width:2px"/>'), []],
    [
      'what editors leave',
      svg('<k:view/><path k:x="1"/>', 'xmlns:k="http://www.inkscape.org/namespaces/inkscape"'),
      [],
    ],
    ['a script', svg('<script>1</script>'), ['scripts', 'unusual']],
    ['an event handler', svg('<path onclick="f()"/>'), ['scripts', 'unusual']],
    ['a link to a script', svg('<a href=" javascript:f()"/>'), ['scripts', 'outerReferences', 'unusual']],
    ['HTML', svg('<foreignObject/>'), ['foreign', 'unusual']],
    ['HTML by its namespace', svg('<p xmlns="http://www.w3.org/1999/xhtml"/>'), ['foreign', 'unusual']],
    ['a style sheet', svg('<style>.a{fill:red}</style>'), ['styleSheet', 'unusual']],
    [
      'attribute selectors',
      svg('<style>[x]{fill:red}</style>'),
      ['styleSheet', 'attributeSelectors', 'unseen', 'unusual'],
    ],
    [
      'an imported style sheet',
      svg('<style>@import "a.css";</style>'),
      ['styleSheet', 'attributeSelectors', 'unseen', 'unusual'],
    ],
    ['a linked style sheet', `<?xml-stylesheet href="a.css"?>${svg('')}`, ['styleSheet', 'attributeSelectors']],
    ['rules for empty elements', svg('<style>g:empty{x:1}</style>'), ['styleSheet', 'emptySelectors', 'unusual']],
    ['an animation', svg('<path><set attributeName="fill" to="red"/></path>'), ['animation', 'unusual']],
    ['a transition', svg('<style>path{transition:fill 1s}</style>'), ['styleSheet', 'animation', 'unusual']],
    ['an animated attribute', svg('<path style="animation:a 1s"/>'), ['animation', 'unusual']],
    ['an id that nothing inside refers to', svg('<path id="a"/>'), ['outerReferences']],
    ['a reference to what is not there', svg('<path fill="url(#a)"/>'), ['outerReferences']],
    ['a reference to another document', svg('<use href="other.svg#a"/><g id="a"/>'), ['outerReferences']],
    ['one id twice', svg('<g id="a"/><g id="a"/><use href="#a"/>'), ['outerReferences']],
    [
      'references to what is there',
      svg(
        '<clipPath id="c"><path d="M0 0h9v9z"/></clipPath><linearGradient id="g"/><g clip-path="url(#c)" style="fill:url(#g)"/>',
      ),
      [],
    ],
    ['an id of words', svg('<title id="t">A</title>', 'aria-labelledby="t"'), []],
    ['a symbol', svg('<symbol id="s"/><use href="#s"/>'), ['unseen', 'unusual']],
    ['what only other documents can show', svg('<defs><path id="a"/></defs>'), ['unseen', 'outerReferences']],
    ['a hidden element', svg('<path display="none"/>'), ['unseen']],
    ['one hidden by a style', svg('<path style="opacity:0"/>'), ['unseen']],
    ['a rule for a state', svg('<style>path:hover{fill:red}</style>'), ['styleSheet', 'unseen', 'unusual']],
    ['a marker', svg('<path marker-end="none"/>'), ['markers', 'unusual']],
    ['an origin of transforms', svg('<path transform-origin="5 5"/>'), ['transformOrigin', 'unusual']],
    ['one in a style', svg('<path style="transform-origin:5px"/>'), ['transformOrigin', 'unusual']],
    ['a class, which a page may style', svg('<path class="a"/>'), ['unusual']],
    ['text', svg('<text>a</text>'), ['unusual']],
    ['a property that librsvg may not know', svg('<path paint-order="stroke"/>'), ['unusual']],
    ['a value that depends on something', svg('<path fill="var(--a)"/>'), ['unusual']],
    ['a number that is a name', svg('<path data-at="1.50"/>'), ['unusual', 'numbersAsNames']],
    ['a large number', svg('<path d="M1234567 0h1"/>'), ['largeNumbers']],
    ['a colour of digits', svg('<path fill="#000000" style="stroke:#111111"/>'), []],
    ['an image', svg('<image width="9"/>'), ['unusual', 'costly']],
  ])('%s is seen', (_, document, flags) => {
    expect(flagsOf(document).sort()).toEqual([...flags].sort())
  })

  it('counts an SVG with a prefix as foreign, but not the declaration alone', () => {
    const bound = 'xmlns:s="http://www.w3.org/2000/svg"'
    expect(readFeatures(`<s:svg ${bound}><s:text> a </s:text></s:svg>`).foreign).toBe(true)
    expect(readFeatures(svg('<path/>', bound)).foreign).toBe(false)
  })

  it.each([
    ['.a{fill:#fff;stroke:rgb(1,2,3)}g>rect,#b{opacity:.5}', true],
    ['/* made by hand */.a{fill:url(#g)}', true],
    ['/*! licence */.a{fill:red}', false],
    ['g{& rect{fill:red}}', false],
    ['@media print{.a{fill:red}}', false],
    ['.a{fill:var(--a)}', false],
    ['.a{content:"}"}', false],
    ['.a{fill:red', false],
  ])('tells a plain style sheet: %s', (css, plain) => {
    expect(readFeatures(svg(`<style><![CDATA[${css}]]></style>`)).plainStyles).toBe(plain)
  })

  it.each([
    ['of an icon', svg('', 'viewBox="0 0 24 24"'), 3],
    ['without a size', svg(''), 3],
    ['of one unit', svg('', 'viewBox="0 0 1 1"'), 4],
    ['of a tenth of a unit', svg('', 'viewBox="0 0 .1 .1"'), 5],
    [
      'scaled up',
      svg('<g transform="scale(10)"><g transform="matrix(100 0 0 100 0 0)"/></g>', 'viewBox="0 0 100 100"'),
      5,
    ],
    ['in shares of a box', svg('<clipPath clipPathUnits="objectBoundingBox"/>', 'viewBox="0 0 100 100"'), 4],
    ['of nothing', svg('<g transform="scale(x)"/>', 'viewBox="0 0 0 0"'), 8],
  ])('asks for enough decimals %s', (_, document, decimals) => {
    expect(readFeatures(document).decimals).toBe(decimals)
  })

  it('counts what references draw each time, in circles too', () => {
    const nested = Array.from({ length: 9 }, (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(9)}</g>`)
    expect(readFeatures(svg(`<g id="g0"/>${nested.join('')}`)).drawn).toBeGreaterThan(1e6 - 1)
    expect(readFeatures(svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>')).drawn).toBeLessThan(20)
    expect(readFeatures(svg('<path/><path/>')).drawn).toBe(3)
    const styled = svg('<style>g{mask:url(#m)}</style><mask id="m"><path/><path/></mask><g/><g/>')
    expect(readFeatures(styled).drawn).toBeGreaterThan(9)
    const filtered = svg('<filter id="f"><feGaussianBlur/></filter><path filter="url(#f)"/><path filter="url(#f)"/>')
    expect(readFeatures(filtered).drawn).toBeGreaterThan(12_000)
    expect(readFeatures(filtered).costly).toBe(false)
  })

  it.each([
    [svg('', 'width="10" height="20px"'), { width: 10, height: 20 }],
    [svg('', 'width="1in" height="3pt"'), { width: 96, height: 4 }],
    [svg('', 'width="100%" viewBox="0 0 7 8"'), { width: 7, height: 8 }],
    [svg(''), undefined],
  ])('reads the size of %s', (document, size) => {
    expect(readFeatures(document).size).toEqual(size)
  })
})

describe('the ways to rewrite an SVG', () => {
  it('begin with all for a plain drawing, and end with the markup alone', () => {
    expect(tiersOf(svg('<path d="M0 0h9"/>'))).toEqual(['structure', 'values', 'markup'])
  })

  it('leave the structure where pages look inside', () => {
    expect(tiersOf(svg('<path d="M0 0h9"/>'), false)).toEqual(['paths', 'values', 'markup'])
    expect(tiersOf(svg('<path d="M0 0h9"/><symbol id="s"/>'), false)).toEqual(['values', 'markup'])
  })

  it.each([
    '<style>.a{fill:red}</style>',
    '<path id="a"/>',
    '<path transform-origin="1 1"/>',
    '<text>a</text>',
    '<path class="a"/>',
    '<nonsense/>',
  ])('leave the structure where there is %s', (content) => {
    expect(tiersOf(svg(content))).toEqual(['paths', 'values', 'markup'])
    // A rendering shows no symbol, so that nobody could compare its segments.
    expect(tiersOf(svg(`${content}<symbol id="s"/>`))).toEqual(['values', 'markup'])
  })

  it.each([
    '<path><animate attributeName="x"/></path>',
    '<style>[x]{fill:red}</style>',
    '<path style="transition:all 1s"/>',
    '<path d="M100000 1h1"/>',
  ])('leave every value where there is %s', (content) => {
    expect(tiersOf(svg(content))).toEqual(['markup'])
  })
})
