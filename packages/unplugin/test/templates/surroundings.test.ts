import { describe, expect, it } from 'vitest'
import { UNKNOWN, createObjections } from '../../src/templates/surroundings.ts'
import type { Surroundings, TemplateElement } from '../../src/templates/surroundings.ts'

const element = (tagName: string | undefined, className = '', isOpen = false): TemplateElement => ({
  tagName,
  attributes: className === '' ? [] : [['class', className]],
  isOpen,
})
const image = element('img', 'hero')

const alone: Surroundings = { image, ancestors: [], before: [UNKNOWN], after: [UNKNOWN] }
const inCard: Surroundings = { image, ancestors: [element('div', 'card')], before: [], after: [] }

describe('an image of which the template says all', () => {
  it.each([
    ['.hero { border: 1px solid }', undefined],
    ['.other > * { margin: 0 }', undefined],
    ['.card > * { margin: 0 }', '.card > *'],
    ['.card img { margin: 0 }', undefined],
    ['.card > :first-child { margin: 0 }', '.card > :first-child'],
    ['.hero:last-child { margin: 0 }', undefined],
    ['.card > p { margin: 0 }', undefined],
    ['p + img { margin: 0 }', undefined],
    ['figure:has(> img) { margin: 0 }', undefined],
    ['.card:has(> img) { margin: 0 }', '.card:has(> img)'],
  ])('is judged by %j', (css, selector) => {
    expect(createObjections([css])(inCard)).toBe(selector && `A rule looks at where its <img> stands: ${selector}`)
  })

  it('is refused where a rule has it inherit what a picture would come between', () => {
    expect(createObjections(['.hero { width: inherit }'])(inCard)).toContain('inherit what is around it: width')
  })

  it('is refused by rules that count it among its siblings', () => {
    const place: Surroundings = { ...inCard, before: [element('p')], after: [element('p')] }
    expect(createObjections(['p + img { margin: 0 }'])(place)).toContain('p + img')
    expect(createObjections(['img + p { margin: 0 }'])(place)).toContain('img + p')
    expect(createObjections(['p + p { margin: 0 }'])(place)).toBeUndefined()
  })
})

describe('an image that a component gets from elsewhere', () => {
  it.each([
    ['.hero { border: 1px solid }', true],
    ['.any .hero { border: 1px solid }', true],
    ['.any > p { margin: 0 }', true],
    ['.any > .hero { margin: 0 }', false],
    ['.any > * { margin: 0 }', false],
    ['.hero:first-child { margin: 0 }', false],
    ['.hero:last-child { margin: 0 }', false],
    ['.hero:nth-child(2) { margin: 0 }', false],
    ['h1 ~ img { margin: 0 }', false],
    ['* { box-sizing: border-box }', true],
  ])('may have a picture as far as %j goes: %s', (css, isFine) => {
    expect(createObjections([css])(alone) === undefined).toBe(isFine)
  })

  it('is refused where classes that are not known may be those of a rule', () => {
    const open: Surroundings = { ...inCard, ancestors: [element('div', '', true)] }
    expect(createObjections(['.grid > * { margin: 0 }'])(open)).toContain('.grid > *')
    expect(createObjections(['ul > img { margin: 0 }'])(open)).toBeUndefined()
  })
})
