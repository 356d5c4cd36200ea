import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { samplesOfColour } from '../../src/colour/background.ts'
import { COLOUR, colourFromText, opaqueColour } from '../../src/operations/colour.ts'

describe('COLOUR', () => {
  it.each([
    ['#FFCC00', '#ffcc00'],
    ['#fc0', '#ffcc00'],
    ['#fc08', '#ffcc0088'],
    ['#FFFFFFAA', '#ffffffaa'],
    ['#ffffffff', '#ffffff'],
    ['RebeccaPurple', '#663399'],
    ['blue', '#0000ff'],
    ['transparent', '#00000000'],
    ['rgb(200, 200, 200)', '#c8c8c8'],
    ['rgba(10,33,127)', '#0a217f'],
    ['rgb(100% 0% 50% / 50%)', '#ff008080'],
    ['hsl(360, 100%, 50%)', '#ff0000'],
    ['hsl(120deg 100% 25%)', '#008000'],
    ['hsla(240, 100%, 50%, .5)', '#0000ff80'],
  ])('reads %s', (written, colour) => {
    expect(COLOUR.parse(written, 'tint')).toBe(colour)
  })

  it.each(['', '#ff', '#fffff', 'rgb(1,2)', 'rgb(a,b,c)', 'hsl(1turn 0% 0%)', 'constructor', 5])(
    'refuses %j',
    (written) => {
      expect(() => COLOUR.parse(written, 'tint')).toThrow(failure('INVALID_OPTION', "'tint'"))
    },
  )
})

describe('colourFromText', () => {
  it('needs no # in front of digits', () => {
    expect(colourFromText('ffaa22', 'tint')).toBe('#ffaa22')
    expect(colourFromText('fa2', 'tint')).toBe('#ffaa22')
    expect(colourFromText('red', 'tint')).toBe('#ff0000')
  })
})

describe('samplesOfColour', () => {
  it('gives alpha, which opaqueColour drops', () => {
    expect(samplesOfColour('#01020380')).toEqual([1, 2, 3, 128])
    expect(samplesOfColour('#010203')).toEqual([1, 2, 3, 255])
    expect(opaqueColour('#01020380')).toBe('#010203')
  })
})
