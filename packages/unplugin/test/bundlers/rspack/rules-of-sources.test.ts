import { expect, it } from 'vitest'
import { rulesOfSources } from '../../../src/bundlers/rspack/rules-of-sources.ts'
import { matchesCondition } from '../../../src/bundlers/webpack-like/rule-condition.ts'

const sourceOf = (file: string): string | undefined => (file === '/src/a.webp' ? '/src/a.png' : undefined)
const meets = (rule: unknown, file: string): boolean => matchesCondition((rule as { test: unknown }).test, file)

/** The rules that one has come to hold, as far as they are for the renamed image. */
const inner = (rule: object): { test: unknown; type: string; generator: { dataUrl: object } }[] =>
  ((rulesOfSources([rule], sourceOf)[0] as { rules?: never[] }).rules ?? []).filter((each) =>
    meets(each, '/src/a.webp'),
  )

it('asks rules for images about the source of a renamed one', () => {
  const png = { test: /\.png$/, type: 'asset/resource' }
  const webp = { test: /\.webp$/ }
  const [ofPng, ofWebp] = rulesOfSources([png, webp], sourceOf)
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
  expect(rulesOfSources(rules, sourceOf)).toEqual(rules)
})

it('goes into nested rules', () => {
  const [rule] = rulesOfSources([{ oneOf: [{ test: /\.png$/ }], rules: [{ resource: [/\.png$/] }] }], sourceOf)
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
