import { describe, expect, it } from 'vitest'
import { extendCacheVersion, hasPersistentCache } from '../../../src/bundlers/webpack-like/cache-version.ts'
import { defaultRules, isAlwaysInlined, speakOfQuery } from '../../../src/bundlers/webpack-like/default-rules.ts'
import { areNamesHashed } from '../../../src/bundlers/webpack-like/names.ts'
import { escapePath, parseResource } from '../../../src/bundlers/webpack-like/resource.ts'
import { matchesCondition } from '../../../src/bundlers/webpack-like/rule-condition.ts'

const file = '/site/src/a.png'

describe("a rule's condition", () => {
  it.each([
    [/\.png$/, true],
    [/\.png$/g, true],
    [/\.webp$/, false],
    ['/site/', true],
    ['/other/', false],
    [(path: string) => path.includes('src'), true],
    [[/\.webp$/, /\.png$/], true],
    [[], false],
    [{ and: [/\.png$/, { not: '/site/vendor/' }] }, true],
    [{ and: [/\.png$/, /vendor/] }, false],
    [{ or: [/vendor/, 'nowhere', /a\./] }, true],
    [{ not: [/\.png$/, /vendor/] }, false],
    [undefined, false],
  ])('%s', (condition, met) => {
    expect(matchesCondition(condition, file)).toBe(met)
    expect(matchesCondition(condition, file)).toBe(met)
  })
})

const covered = (rules: readonly unknown[]): string[] =>
  ['png', 'jpg', 'svg'].filter((extension) =>
    defaultRules(rules).some((rule) => (rule as { test: RegExp }).test.test(`a.${extension}`)),
  )

describe('default rules', () => {
  it.each([
    [[], ['png', 'jpg', 'svg']],
    [
      [{ test: /\.css$/ }, null, false, '...'],
      ['png', 'jpg', 'svg'],
    ],
    [[{ test: /\.svg$/, use: ['@svgr/webpack'] }], ['png', 'jpg']],
    [[{ oneOf: [{ rules: [{ resource: { or: [/\.png$/i, /\.jpe?g$/i] } }] }] }], ['svg']],
    [[{ test: /\.(png|jpe?g|gif|svg|webp|avif|jpe|jfif)$/i, type: 'asset' }], []],
    [[{ include: /src/, resourceQuery: /raw/, type: 'asset/source' }], ['png', 'jpg', 'svg']],
  ])('%#', (rules, expected) => expect(covered(rules)).toEqual(expected))

  it('are not there when nothing is left', () => expect(defaultRules([{ test: () => true }])).toEqual([]))
})

it('finds rules that inline a file, and rules about a query', () => {
  const rules = [
    { test: /\.svg$/, type: 'asset/inline' },
    {
      oneOf: [
        { resourceQuery: /^\?url$/, type: 'asset/resource' },
        { test: /icons/, type: 'asset/inline' },
      ],
    },
    { resourceQuery: /inline/, type: 'asset/inline' },
  ]
  expect(['/a.svg', '/icons/a.png', '/a.png'].map((each) => isAlwaysInlined(rules, each))).toEqual([true, true, false])
  expect(['?url', '?inline', '?no', ''].map((query) => speakOfQuery(rules, query))).toEqual([true, true, false, false])
})

describe('names are hashed', () => {
  it.each([
    [undefined, [], true],
    ['[hash][ext]', [], true],
    ['[name].[contenthash:8][ext]', [], true],
    ['[name][ext]', [], false],
    ['[name].[fullhash][ext]', [], false],
    [(): string => 'x', [], false],
    ['[hash][ext]', [{ oneOf: [{ generator: { filename: 'img/[name][ext]' } }] }], false],
    ['[hash][ext]', [{ use: [{ options: { filename: '[name]' } }] }], true],
  ])('%s %j', (assetModuleFilename, rules, hashed) => {
    expect(areNamesHashed({ output: { assetModuleFilename }, module: { rules } })).toBe(hashed)
  })

  it('in the generator options of all modules too', () => {
    const module = { generator: { asset: { filename: '[name][ext]' } }, rules: [] }
    expect(areNamesHashed({ output: {}, module })).toBe(false)
  })
})

describe('a resource', () => {
  it.each([
    ['/a.png', '/a.png', '', ''],
    ['/a.png?w=3&x#icon', '/a.png', '?w=3&x', '#icon'],
    ['./sprite.svg#a?b', './sprite.svg', '', '#a?b'],
    ['/a\0#b.png?x', '/a#b.png', '?x', ''],
  ])('%j', (resource, path, query, fragment) => {
    expect(parseResource(resource)).toEqual({ file: path, query, fragment })
  })

  it('has an escaped path', () => {
    expect(parseResource(`${escapePath('/a#b?c.png')}?q`)).toEqual({ file: '/a#b?c.png', query: '?q', fragment: '' })
  })
})

it('the cache version takes what is added, where there is a cache on the disk', () => {
  const shared = { output: {}, module: { rules: [] } }
  const webpack = { ...shared, cache: { type: 'filesystem', version: '1' } }
  extendCacheVersion(webpack, 'abc')
  expect(webpack.cache.version).toBe('1|pixpress:abc')
  const rspack = { ...shared, cache: true, experiments: { cache: { type: 'persistent', version: undefined } } }
  extendCacheVersion(rspack as never, 'abc')
  expect(rspack.experiments.cache.version).toBe('|pixpress:abc')
  const memory = { ...shared, cache: { type: 'memory' } }
  extendCacheVersion(memory, 'abc')
  expect(memory.cache).toEqual({ type: 'memory' })
  expect([webpack, rspack as never, memory, { ...shared, cache: false }].map(hasPersistentCache)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
