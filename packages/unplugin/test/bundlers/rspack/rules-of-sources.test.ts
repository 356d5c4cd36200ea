import { expect, it } from 'vitest'
import { rulesOfSources } from '../../../src/bundlers/rspack/rules-of-sources.ts'
import { matchesCondition } from '../../../src/bundlers/webpack-like/rule-condition.ts'

const sources = {
  fileOf: (file: string): string | undefined => (file === '/src/a.webp' ? '/src/a.png' : undefined),
  sizeOf: (file: string): number | undefined => (file === '/src/large.png' ? 5000 : undefined),
}
const ofSources = <Rule>(rules: readonly Rule[]): Rule[] => rulesOfSources(rules, sources, 8096)
const meets = (rule: unknown, file: string): boolean => matchesCondition((rule as { test: unknown }).test, file)

/** The rules that one has come to hold, as far as they are for the renamed image. */
const inner = (rule: object): { test: unknown; type: string; generator: { dataUrl: object } }[] =>
  ((ofSources([rule])[0] as { rules?: never[] }).rules ?? []).filter((each) => meets(each, '/src/a.webp'))

it('asks rules for images about the source of a renamed one', () => {
  const png = { test: /\.png$/, type: 'asset/resource' }
  const webp = { test: /\.webp$/ }
  const [ofPng, ofWebp] = ofSources([png, webp])
  expect(['/src/a.webp', '/src/a.png', '/src/b.webp', '/src/a.js'].map((file) => meets(ofPng, file))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(['/src/a.webp', '/src/b.webp'].map((file) => meets(ofWebp, file))).toEqual([false, true])
  expect(png).toEqual({ test: /\.png$/, type: 'asset/resource' })
})

it('leaves other rules, and what is no rule, as they are', () => {
  const rules = [{ test: /\.tsx?$/, exclude: '/node_modules/' }, '...', null, undefined]
  expect(ofSources(rules)).toEqual(rules)
})

it('goes into nested rules', () => {
  const [rule] = ofSources([{ oneOf: [{ test: /\.png$/ }], rules: [{ resource: [/\.png$/] }] }])
  expect(meets(rule!.oneOf![0], '/src/a.webp')).toBe(true)
  expect(matchesCondition(rule!.rules![0]!.resource, '/src/a.webp')).toBe(true)
})

it('gives renamed images their media type where a rule can inline them', () => {
  const [webp, ...others] = inner({ test: /\.png$/, type: 'asset', generator: { dataUrl: { encoding: 'base64' } } })
  expect(others).toEqual([])
  expect(webp).toMatchObject({ type: 'asset', generator: { dataUrl: { encoding: 'base64', mimetype: 'image/webp' } } })
  expect(inner({ test: /\.png$/, type: 'asset/resource' })).toEqual([])
  expect(inner({ test: /\.png$/, type: 'asset', generator: { dataUrl: () => '' } })).toEqual([])
  expect(inner({ test: /\.png$/, type: 'asset', generator: { dataUrl: { mimetype: 'x/y' } } })).toEqual([])
})

const limit = (maxSize: number): object => ({ parser: { dataUrlCondition: { maxSize } } })

it('has a rule emit images whose sources are larger than what it inlines', () => {
  const files = (rule: object): boolean => {
    const inside = ((ofSources([rule])[0] as { rules?: object[] }).rules ?? []) as { type: string }[]
    return inside.filter((each) => meets(each, '/src/large.png')).at(-1)?.type === 'asset/resource'
  }
  expect(files({ type: 'asset', ...limit(4096) })).toBe(true)
  expect(files({ type: 'asset', ...limit(5000) })).toBe(false)
  expect(files({ type: 'asset' })).toBe(false)
  expect(files({ type: 'asset/inline' })).toBe(false)
  // The limit of a rule is that of the rules inside it.
  const [outer] = ofSources([{ ...limit(4096), oneOf: [{ type: 'asset', generator: { filename: 'a' } }] }])
  const [inside] = (outer as unknown as { oneOf: { rules: object[] }[] }).oneOf
  expect(inside!.rules.at(-1)).toMatchObject({ type: 'asset/resource', generator: { filename: 'a' } })
  expect(meets(inside!.rules.at(-1), '/src/large.png')).toBe(true)
})
