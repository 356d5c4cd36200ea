import { describe, expect, it } from 'vitest'
import { attributeText, escapedText, rawText } from '../../src/references/html-text.ts'

describe('attributeText', () => {
  it.each([
    ['src="a"', 'a', 5],
    ["src = 'a'", 'a', 7],
    ['src\n=\ta', 'a', 6],
    ['src', '', 3],
    ['src=""', '', 5],
    ['src="&#65=b&copy=c"', 'A=b&copy=c', 5],
    ['src="&lt;a&amp;&#x1F600;"', '<a&😀', 5],
  ])('reads %j', (attribute, text, start) => {
    const html = `<i ${attribute} alt=x>`
    const value = attributeText(html, 'src', 3, 3 + attribute.length)
    expect(value.text).toBe(text)
    expect(value.sourceOffset(0)).toBe(3 + start)
  })
  it('leads from each character back to where it stands in the source', () => {
    const html = '<i src="a&amp;b&#x1F600;c">'
    const { text, sourceOffset } = attributeText(html, 'src', 3, html.length - 1)
    expect(text).toBe('a&b😀c')
    const offsets = [...text, ''].map((_, index, characters) =>
      sourceOffset(characters.slice(0, index).join('').length),
    )
    expect(offsets.map((offset) => html.slice(offset, offset + 3))).toEqual(['a&a', '&am', 'b&#', '&#x', 'c">', '">'])
  })
  it('escapes what would end or change a value, by its quotes', () => {
    const text = ' a"b\'c&d<e>f=g`'
    const encoded = ['"', "'", ''].map((quote) => {
      const html = `<i src=${quote}x${quote}>`
      return attributeText(html, 'src', 3, html.length - 1).encode(text)
    })
    expect(encoded).toEqual([
      " a&quot;b'c&amp;d&lt;e&gt;f=g`",
      ' a"b&#39;c&amp;d&lt;e&gt;f=g`',
      '&#32;a&quot;b&#39;c&amp;d&lt;e&gt;f&#61;g&#96;',
    ])
  })
})

describe('text of elements', () => {
  it('resolves entities only where they mean something', () => {
    const html = 'x&amp;y'
    expect(rawText(html, 1, 7).text).toBe('&amp;y')
    expect(rawText(html, 1, 7).sourceOffset(5)).toBe(6)
    expect(escapedText(html, 1, 7).text).toBe('&y')
    expect(escapedText(html, 1, 7).sourceOffset(1)).toBe(6)
  })
})
