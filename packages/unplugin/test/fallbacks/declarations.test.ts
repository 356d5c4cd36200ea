import { describe, expect, it } from 'vitest'
import { readStylesheet } from '../../src/fallbacks/declarations.ts'

const shown = (css: string): string[] =>
  readStylesheet(css).declarations.map(
    ({ property, value, blocks }) => `${[...blocks, property].join(' | ')} = ${value}`,
  )

describe('readStylesheet', () => {
  it('finds declarations and the blocks that they stand in', () => {
    expect(shown('a{b:c;d:e}@media (x:1){.f > g{h:i !important}}')).toEqual([
      'a | b = c',
      'a | d = e',
      '@media (x:1) | .f > g | h = i !important',
    ])
  })

  it('reads what is minified, nested, commented and unclosed', () => {
    expect(shown('a{b:c}d{e:f;g{h:i}j:k')).toEqual(['a | b = c', 'd | e = f', 'd | g | h = i', 'd | j = k'])
    expect(shown('/* a{b:c} */ .x { /* y */ color : red /* z */; }')).toEqual(['.x | color = red /* z */'])
  })

  it('reads the declarations of a style attribute', () => {
    expect(shown('color: red; background: url(a.png)')).toEqual(['color = red', 'background = url(a.png)'])
  })

  it('is not taken in by what strings and URLs hold', () => {
    expect(shown(`a{b:";}";c:url(data:image/png;base64,a{b}c);d:url("x;y)")}`)).toEqual([
      'a | b = ";}"',
      'a | c = url(data:image/png;base64,a{b}c)',
      'a | d = url("x;y)")',
    ])
    expect(shown(String.raw`.a\:b\{c{d:e}`)).toEqual([String.raw`.a\:b\{c | d = e`])
  })

  it('keeps the case of custom properties alone', () => {
    expect(shown('a{--Big:x;COLOR:red}')).toEqual(['a | --Big = x', 'a | color = red'])
  })

  it('tells offsets of the text', () => {
    const css = '.a {\n  background : url(a.png) ;\n}'
    const [{ start, valueStart, end } = { start: 0, valueStart: 0, end: 0 }] = readStylesheet(css).declarations
    expect([css.slice(start, end), css.slice(valueStart, end)]).toEqual(['background : url(a.png)', 'url(a.png)'])
  })

  it('knows the preludes of all blocks', () => {
    expect(readStylesheet('a,b > c{x:y}@media print{d + e{x:y}}').preludes).toEqual([
      'a,b > c',
      '@media print',
      'd + e',
    ])
  })
})
