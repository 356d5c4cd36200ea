import { parseFragment } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { describe, expect, it } from 'vitest'
import { parseSelectors } from '../../src/fallbacks/parse-selectors.ts'
import { isStructural, looksAtSiblings, mayMatch } from '../../src/fallbacks/selectors.ts'

/** The `<img id="x">` of a fragment. */
function imageOf(html: string): DefaultTreeAdapterTypes.Element {
  const open: DefaultTreeAdapterTypes.Node[] = [parseFragment(html)]
  for (const node of open) {
    if ('attrs' in node && node.attrs.some(({ name, value }) => name === 'id' && value === 'x')) return node
    if ('childNodes' in node) open.push(...node.childNodes)
  }
  throw new Error('no image')
}

const PAGE =
  '<main class="a"><p></p><div class="b card"><i></i><img id="x" class="wide" src="x.png"><b></b></div></main>'

describe('mayMatch', () => {
  it.each([
    'img',
    '*',
    '.wide',
    '#x',
    '[src]',
    'img.wide',
    '.b > img',
    '.card>.wide',
    'div > *',
    '.a img',
    '.a > .b > img',
    'i + img',
    'i ~ img',
    '* + *',
    'p + div img',
    'img:nth-child(2)',
    'img:nth-child(even)',
    'img:first-of-type',
    ':nth-last-child(2)',
    'img:not(:first-child)',
    ':is(.b, .c) > img',
    ':where(.b > img)',
    'img:hover',
    'img:not(:hover)',
    '.b.is-open > img',
    'img::before',
    '& > img',
    'img:nth-child(2n of .x)',
    'img:only-of-type',
  ])('is told that %s matches', (selector) => {
    expect(parseSelectors(selector).some((each) => mayMatch(each, imageOf(PAGE)))).toBe(true)
  })

  it.each([
    'div',
    '.a > img',
    '.other',
    '.other > img',
    'b + img',
    'img:first-child',
    'img:last-child',
    'img:nth-child(3)',
    'img:not(.wide)',
    'img:not(.b > img)',
    ':is(.c, .d) > img',
    'picture > img',
    'img:nth-last-of-type(2)',
    'p img',
  ])('is told that %s does not', (selector) => {
    expect(parseSelectors(selector).some((each) => mayMatch(each, imageOf(PAGE)))).toBe(false)
  })

  it.each([
    ['div:has(> img)', true],
    ['div:has(img)', true],
    ['div:has(> i + img)', true],
    ['div:has(picture img)', false],
  ])('looks into %s', (selector, expected) => {
    const parent = imageOf(PAGE).parentNode as DefaultTreeAdapterTypes.Element
    expect(parseSelectors(selector).some((each) => mayMatch(each, parent))).toBe(expected)
  })
})

describe('parseSelectors', () => {
  it('tells selectors of a list apart, commas of functions and attributes aside', () => {
    const texts = parseSelectors(`a, :is(b, c) > d, [x="y,z"], .w-1\\,5`).map(({ text }) => text)
    expect(texts).toEqual(['a', ':is(b, c) > d', '[x="y,z"]', String.raw`.w-1\,5`])
  })

  it('knows escaped names', () => {
    const image = imageOf('<img id="x" class="md:w-1/2">')
    expect(parseSelectors(String.raw`.md\:w-1\/2`).some((each) => mayMatch(each, image))).toBe(true)
  })

  it.each(['', '>', ')(', '[', ':', '::', 'a >', '%', 'a:not(', '"'])('does not throw at %j', (text) => {
    expect(() => parseSelectors(text).map((each) => mayMatch(each, imageOf(PAGE)))).not.toThrow()
  })
})

describe('isStructural', () => {
  it.each([
    'a > b',
    'a + b',
    'a ~ b',
    'a:first-child',
    ':nth-child(2)',
    'picture',
    ':is(a > b)',
    ':has(img)',
    'a:not(:last-child)',
  ])('is true for %s', (text) => expect(parseSelectors(text).some(isStructural)).toBe(true))

  it.each(['a', 'a b', '.a.b[c]', 'a:hover', ':is(a, b) c', ':root', '*'])('is false for %s', (text) => {
    expect(parseSelectors(text).some(isStructural)).toBe(false)
  })
})

describe('looksAtSiblings', () => {
  it.each([
    ['a + b', true],
    ['a > b', false],
    ['a:first-of-type', true],
    ['a:first-child', false],
    ['a:has(b)', true],
  ])('tells of %s', (text, expected) => expect(parseSelectors(text).some(looksAtSiblings)).toBe(expected))
})
