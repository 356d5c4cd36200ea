import { describe, expect, it } from 'vitest'
import { withRules } from '../../../../src/frameworks/next/turbopack/rules.ts'
import type { TurbopackConfig } from '../../../../src/frameworks/next/turbopack/rules.ts'

const IMAGES = '*.{avif,gif,jpeg,jpg,png,svg,webp}'

const rulesFor = (version: string, given: TurbopackConfig = {}): TurbopackConfig =>
  withRules(given, { version, loader: '/loader.js', options: { build: 'b', keeps: false } })

interface Rule {
  readonly as?: string
  readonly condition: { readonly query?: RegExp; readonly not?: { readonly any: readonly { query: RegExp }[] } }
  readonly loaders: readonly { readonly options: { readonly extension?: string } }[]
}

/** The extension that an image with this query is named by. */
function namedBy(query: string): string | undefined {
  const rules = rulesFor('16.2.0').rules![IMAGES] as Rule[]
  const matching = rules.filter(({ condition: { query: asked, not } }) =>
    not === undefined ? asked!.test(query) : !not.any.some((each) => each.query.test(query)),
  )
  expect([query, matching.length]).toEqual([query, 1])
  const [{ as, loaders }] = matching as [Rule]
  expect(as).toBe(loaders[0]!.options.extension && `*.${loaders[0]!.options.extension}`)
  return loaders[0]!.options.extension
}

describe('withRules', () => {
  it('names images by the type that they are made in, where conditions know queries', () => {
    const named = [
      '',
      '?w=640',
      '?w=640&format=webp',
      '?format=jpeg',
      '?format=jpg',
      '?__pixpress=1&__pixpress_as=avif',
    ]
    expect(named.map(namedBy)).toEqual([undefined, undefined, 'webp', 'jpg', 'jpg', 'avif'])
    expect(namedBy('?format=webp;avif')).toBeUndefined()
    expect(namedBy('?nformat=webp')).toBeUndefined()
  })

  it('has one rule for all images where conditions know no queries', () => {
    for (const version of ['15.4.11', '16.1.0']) {
      expect(rulesFor(version).rules![IMAGES]).toEqual({
        loaders: [{ loader: '/loader.js', options: { build: 'b', keeps: false, step: 'image' } }],
      })
    }
  })

  it('looks into scripts by the kind of condition that the version has', () => {
    expect(rulesFor('15.4.11')).toMatchObject({
      conditions: { '#pixpress': { content: expect.any(RegExp) } },
      rules: { '#pixpress': { loaders: [{ options: { step: 'script' } }] } },
    })
    expect(rulesFor('16.0.1').conditions).toBeUndefined()
    expect(rulesFor('16.0.1').rules!['*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}']).toMatchObject({
      condition: { all: [{ not: 'foreign' }, { content: expect.any(RegExp) }] },
    })
  })

  it("keeps the project's rules and conditions, and leaves their images to them", () => {
    const svg = { loaders: ['@svgr/webpack'], as: '*.js' }
    const { rules, conditions, root } = rulesFor('15.4.11', {
      root: '/p',
      conditions: { '#mine': {} },
      rules: { '*.svg': svg, 'art/*.{png,gif}': svg },
    })
    expect(root).toBe('/p')
    expect(conditions).toMatchObject({ '#mine': {}, '#pixpress': {} })
    expect(rules).toMatchObject({ '*.svg': svg, '*.{avif,jpeg,jpg,webp}': {} })
  })
})
