import { describe, expect, it } from 'vitest'
import { tokenizeCss, type StylesheetSyntax } from '../../src/references/css-tokens.ts'

/** Tokens in short: a string or URL by its inside, everything else by its type, name or character. */
function shown(css: string, syntax: StylesheetSyntax = 'css'): string[] {
  return Array.from(tokenizeCss(css, syntax), (token) => {
    if (token.type === 'string')
      return `${token.closed ? 'string' : 'open string'}:${css.slice(token.start, token.end)}`
    if (token.type === 'url') return `url:${css.slice(token.start, token.end)}`
    if (token.type === 'function') return `${token.name}(`
    if (token.type === 'at-keyword') return `@${token.name}`
    return token.type === 'delimiter' ? token.value : token.type
  })
}

describe('tokenizeCss', () => {
  it.each([
    ['url( a\\)b )', ['url:a\\)b']],
    ['url( "a)b" )', ['url(', 'string:a)b', ')']],
    ['url(a b) c', ['word', 'word']],
    ['URL(a)Calc(1px)', ['url:a', 'calc(', 'word', ')']],
    ['u\\52 l(a)', ['url:a']],
    ["'a\\'b' \"a\\\nb\" 'c\nd", ["string:a\\'b", 'string:a\\\nb', 'open string:c', 'newline', 'word']],
    ['a/* " */b/*', ['word', 'word']],
    ['@IMPORT #{$a} @{b} #id', ['@import', 'interpolation', 'word', '}', 'interpolation', 'word', '}', 'word']],
    ['a{b:c;d+e}', ['word', '{', 'word', ':', 'word', ';', 'word', '+', 'word', '}']],
    ['\\', ['\\']],
    ['url(a\\28 b) "a\\28\r\nb"', ['url:a\\28 b', 'string:a\\28\r\nb']],
    ['"\\', ['open string:', '\\']],
  ])('reads %j', (css, expected) => expect(shown(css)).toEqual(expected))
  it('reads line comments where the language has them', () => {
    expect(shown('a // "b\nc', 'scss')).toEqual(['word', 'newline', 'word'])
    expect(shown('a // b', 'css')).toEqual(['word', '/', '/', 'word'])
  })
})
