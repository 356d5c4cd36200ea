import { createProject, naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { standingSentence } from '../../../src/session/options/standing.ts'
import { allKnowWhere, browsersOfTargets, projectBrowsers, typesForAll } from '../../../src/session/options/browsers.ts'

const TYPES = ['image/avif', 'image/webp'] as const

describe('typesForAll', () => {
  it.each([
    [['chrome 107', 'edge 107', 'firefox 104', 'safari 16'], ['image/webp']],
    [
      ['chrome 111', 'edge 121', 'firefox 114', 'safari 16.4', 'ios_saf 16.4-16.5'],
      ['image/avif', 'image/webp'],
    ],
    [['chrome 85', 'ie 11'], []],
    [['safari 15.6'], []],
    [['ios_saf 14.0-14.4'], ['image/webp']],
    [
      ['safari TP', 'and_chr 157'],
      ['image/avif', 'image/webp'],
    ],
    [['op_mini all'], ['image/webp']],
    [['some_browser 5'], []],
    [[], []],
  ])('knows what all of %j read', (browsers, expected) => {
    expect(typesForAll(TYPES, browsers)).toEqual(expected)
  })

  it("counts what a bundler's targets read on some systems, but not what a browserslist does", () => {
    const browsers = browsersOfTargets(['es2020', 'edge88', 'firefox78', 'chrome87', 'safari14'])
    expect(typesForAll(TYPES, browsers, 'targets')).toEqual(['image/webp'])
    expect(typesForAll(TYPES, browsers)).toEqual([])
    expect(typesForAll(TYPES, ['safari 13.1'], 'targets')).toEqual([])
  })

  it.each([
    [['chrome 155', 'firefox 158', 'safari 17.0', 'ios_saf 17.0', 'and_chr 157'], true],
    [['chrome 154'], false],
    [['edge 150'], false],
  ])('knows that %j read JPEG XL: %s', (browsers, reads) => {
    expect(typesForAll(['image/jxl'], browsers)).toEqual(reads ? ['image/jxl'] : [])
  })

  it('does not ask after types that every browser reads', () => {
    expect(typesForAll(['image/jpeg', 'image/png', 'image/jxl'], ['ie 11'])).toEqual(['image/jpeg', 'image/png'])
  })
})

describe('allKnowWhere', () => {
  it.each([
    [['chrome 88', 'edge 107', 'firefox 78', 'safari 14', 'ios_saf 14.0-14.4'], true],
    [['safari TP', 'and_chr 157'], true],
    [['chrome 87', 'safari 16'], false],
    [['safari 13.1'], false],
    [['op_mini all'], false],
    [['some_browser 5'], false],
    [[], true],
  ])('tells it of %j', (browsers, expected) => expect(allKnowWhere(browsers)).toBe(expected))
})

describe('browsersOfTargets', () => {
  it('reads browsers, and leaves languages out', () => {
    expect(browsersOfTargets(['es2020', 'chrome107', 'ios16.4', 'node20', 'esnext', 'edge88.1'])).toEqual([
      'chrome 107',
      'ios_saf 16.4',
      'edge 88.1',
    ])
  })
})

describe('standingSentence', () => {
  const vite5 = ['es2020', 'edge88', 'firefox78', 'chrome87', 'safari14']

  it("names who stands against a type in a bundler's targets, and the line that changes it", () => {
    expect(standingSentence(TYPES, browsersOfTargets(vite5), vite5)).toEqual(
      naming(
        'AVIF',
        "'build.target'",
        'edge 88',
        'firefox 78',
        'safari 14',
        "'es2020'",
        "'edge121'",
        "'firefox93'",
        "'chrome87'",
        "'safari16.4'",
        'safari 14',
        'WebP',
      ),
    )
  })

  it('gives a line that is enough', () => {
    const line = /target: \[(.+)\]/.exec(standingSentence(TYPES, browsersOfTargets(vite5), vite5)!)![1]!
    const targets = line.split(', ').map((target) => target.slice(1, -1))
    expect(typesForAll(TYPES, browsersOfTargets(targets), 'targets')).toEqual(TYPES)
    expect(standingSentence(TYPES, browsersOfTargets(targets), targets)).toBeUndefined()
  })

  it('names the type that keeps all images as they are, and a few of many browsers', () => {
    const browsers = ['ie 11', 'safari 14.1', 'safari 13.1', 'op_mob 11', 'chrome 30', 'chrome 31']
    expect(standingSentence(TYPES, browsers, undefined)).toEqual(
      naming(
        'WebP',
        'ie 11, safari 14.1, safari 13.1, op_mob 11',
        '2 more',
        'not ie > 0, not safari < 16, not op_mob < 12, not chrome < 32',
      ),
    )
  })

  it('says nothing where nothing is known, or nobody stands against any', () => {
    expect(standingSentence(TYPES, [], [])).toBeUndefined()
    expect(standingSentence(TYPES, ['chrome 130'], undefined)).toBeUndefined()
  })
})

describe('projectBrowsers', () => {
  it('knows none where the project names none, and says when it cannot read them', async () => {
    const project = await createProject('browsers', {
      files: { 'a/package.json': '{}', 'b/package.json': '{"browserslist":["chrome 100"]}' },
    })
    try {
      expect(projectBrowsers(project.path('a'))).toBeUndefined()
      const found = projectBrowsers(project.path('b'))
      // A project of the tests may see the workspace's own browserslist, or none.
      if (Array.isArray(found)) expect(found).toEqual(['chrome 100'])
      else expect(found).toEqual({ error: expect.stringContaining("'package.json' names browsers") as string })
    } finally {
      await project.dispose()
    }
  })
})
