import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createExclusion, orHere, splitGlobs, splitPatterns } from '../../src/compress/exclusions.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

const isLeftOut = (globs: readonly string[], file: string): boolean =>
  createExclusion(globs, '/site')(path.join('/site', file))

describe('createExclusion', () => {
  it.each([
    ['docs', 'docs/a.png', true],
    ['docs/', 'docs/a.png', true],
    ['docs', 'src/docs/a.png', true],
    ['./docs', 'docs/deep/a.png', true],
    ['./src/docs', 'src/docs/a.png', true],
    ['src/docs', 'other/src/docs/a.png', false],
    ['*.gif', 'src/deep/a.gif', true],
    ['*.gif', 'src/deep/a.png', false],
    ['logo.png', 'src/logo.png', true],
    ['src/*.{png,jpg}', 'src/a.jpg', true],
    ['src/*.{png,jpg}', 'src/deep/a.jpg', false],
    ['/site/src', 'src/a.jpg', true],
    ['../other', '../other/a.jpg', true],
    ['docs', 'docs.png', false],
  ])('%s says of %s: %s', (glob, file, expected) => {
    expect(isLeftOut([glob], file)).toBe(expected)
  })

  it('leaves out what any of several globs matches, and nothing without one', () => {
    expect(['a.gif', 'b.svg', 'c.png'].map((file) => isLeftOut(['*.gif', '*.svg'], file))).toEqual([true, true, false])
    expect(isLeftOut([], 'a.gif')).toBe(false)
  })
})

describe('splitPatterns', () => {
  it('takes what begins with an exclamation mark for left out, unless a file has that name', async () => {
    await folder.write({ '!odd.png': '' })
    expect(splitPatterns(['src', '!docs', '!odd.png', '!'], folder.path)).toEqual({
      taken: ['src', '!odd.png', '!'],
      left: ['docs'],
    })
  })

  it('orHere adds the current folder where nothing is taken', () => {
    expect(orHere(['!docs'], folder.path)).toEqual(['.', '!docs'])
    expect(orHere([], folder.path)).toEqual(['.'])
    expect(orHere(['src', '!docs'], folder.path)).toEqual(['src', '!docs'])
  })
})

it('splitGlobs leaves commas within braces and brackets alone', () => {
  expect(splitGlobs('a.png,src/*.{gif,png}, [a,b].png,@(x,y)')).toEqual([
    'a.png',
    'src/*.{gif,png}',
    '[a,b].png',
    '@(x,y)',
  ])
  expect(splitGlobs('')).toEqual([])
})
