import { describe, expect, it } from 'vitest'
import { withLoaderBefore } from '../../../src/bundlers/webpack-like/file-loaders.ts'

const OURS = { loader: 'ours' }
const add = (rule: unknown): unknown => withLoaderBefore([rule], OURS)[0]

describe('rules with file-loader', () => {
  it.each([
    [{ loader: 'file-loader' }, { use: [{ loader: 'file-loader' }, OURS] }],
    [
      { test: /a/, loader: '/x/node_modules/url-loader/dist/cjs.js', options: { limit: 1 } },
      { test: /a/, use: [{ loader: '/x/node_modules/url-loader/dist/cjs.js', options: { limit: 1 } }, OURS] },
    ],
    [{ use: 'url-loader?limit=1' }, { use: ['url-loader?limit=1', OURS] }],
    [{ use: ['a', { loader: 'file-loader' }, 'b'] }, { use: ['a', { loader: 'file-loader' }, OURS, 'b'] }],
    [{ oneOf: [{ rules: [{ use: 'file-loader' }] }] }, { oneOf: [{ rules: [{ use: ['file-loader', OURS] }] }] }],
  ])('%o have another loader run before it', (rule, expected) => {
    const before = structuredClone(rule)
    expect(add(rule)).toEqual(expected)
    expect(rule).toEqual(before)
  })

  it('are found where a function gives the loaders', () => {
    const { use } = add({ use: (name: unknown) => [{ loader: String(name) }] }) as { use(name: string): unknown }
    expect(use('file-loader')).toEqual([{ loader: 'file-loader' }, OURS])
    expect(use('css-loader')).toEqual([{ loader: 'css-loader' }])
  })

  it.each([['...'], [{ use: 'css-loader' }], [{ loader: 'profile-loader' }], [{ type: 'asset' }], [null]])(
    'are not %o',
    (rule) => {
      expect(add(rule)).toEqual(rule)
    },
  )
})
