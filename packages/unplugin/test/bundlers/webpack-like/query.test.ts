import { describe, expect, it } from 'vitest'
import {
  INLINE_QUERY,
  OWN_QUERY,
  deliveryQuery,
  requestKindOf,
  nameQuery,
  readSpec,
  ruleQuery,
  withSpec,
} from '../../../src/bundlers/webpack-like/query.ts'
import { readQuery } from '../../../src/modules/reference.ts'

const spec = { operations: { resize: { method: 'scale', width: 60 }, convert: { type: 'image/webp' } } } as const

describe('the kind of a request', () => {
  it.each([
    ['', 'image'],
    ['?url', 'image'],
    ['?inline', 'image'],
    ['?v=2', 'image'],
    [withSpec('', spec), 'image'],
    ['?original', 'original'],
    ['?w=300', 'directives'],
    ['?w=300&original', 'directives'],
    ['?raw', 'foreign'],
    ['?react', 'foreign'],
    ['?react&original=', 'original'],
  ] as const)('%s is %s', (query, kind) => expect(requestKindOf(readQuery(query))).toBe(kind))
})

describe('a spec', () => {
  it.each(['', '?', '?inline', '?v=2'])('goes through a query (%s)', (query) => {
    const text = withSpec(query, spec)
    expect(readSpec(text)).toEqual(spec)
    expect(text).not.toMatch(/[!\0#]/)
    expect(ruleQuery(readQuery(text))).toBe(query === '?' ? '' : query)
  })

  it('is empty where there is none', () => expect(readSpec('?w=3')).toEqual({}))
})

describe('what stays of a query', () => {
  it.each([
    ['', '', ''],
    ['?url', '', '?url'],
    ['?v=2', '?v=2', '?v=2'],
    ['?v=2&url', '?v=2', '?v=2&url'],
    ['?original', '', ''],
    ['?w=300&format=webp', '', ''],
    ['?w=300&inline', '', '?inline'],
  ])('%s: %s in names, %s for rules', (query, inName, forRules) => {
    expect(nameQuery(readQuery(query))).toBe(inName)
    expect(ruleQuery(readQuery(query))).toBe(forRules)
  })

  it.each([
    ['?w=3&inline', '?inline'],
    ['?no-inline&w=3', '?no-inline'],
    ['?w=3&url', '?url'],
    ['?w=3', ''],
  ])('%s is delivered by %s', (query, delivery) => expect(deliveryQuery(readQuery(query))).toBe(delivery))
})

it('the default rules see our own queries only', () => {
  const own = ['', '?url', '?no-inline', '?original', withSpec('', spec), withSpec('?url', spec)]
  expect(own.filter((query) => OWN_QUERY.test(query))).toEqual(own)
  const others = ['?raw', '?react', '?inline', '?urls', '?foo=1']
  expect(others.filter((query) => OWN_QUERY.test(query))).toEqual([])
  expect(['?inline', withSpec('?inline', spec)].every((query) => INLINE_QUERY.test(query))).toBe(true)
  expect(['', '?inlined', '?no-inline'].some((query) => INLINE_QUERY.test(query))).toBe(false)
})
