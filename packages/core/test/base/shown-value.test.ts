import { describe, expect, it } from 'vitest'
import { PixpressError } from '../../src/base/errors.ts'
import { shownValue } from '../../src/base/shown-value.ts'
import { OPERATIONS, resolveOperations } from '../../src/operations/index.ts'
import { PROJECT_OPTIONS } from '../../src/project/options/index.ts'
import { nearest } from '../../src/options/unknown-key.ts'

const deepList = (): unknown => JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))
const deepObject = (): unknown => JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)

function circular(): unknown {
  const own: Record<string, unknown> = { name: 'own' }
  own['own'] = own
  return own
}

function throwing(): unknown {
  return new Proxy(
    {},
    {
      ownKeys() {
        throw new Error('unreadable')
      },
    },
  )
}

/** Values that a request, a configuration file or a program can hand over. */
const HOSTILE: readonly (readonly [name: string, make: () => unknown])[] = [
  ['a list of 10,000 levels', deepList],
  ['an object of 10,000 levels', deepObject],
  ['an object that contains itself', circular],
  ['an object that cannot be read', throwing],
  ['a list of a million members', () => Array.from({ length: 1_000_000 }, () => ({ a: 1 }))],
  ['a text of ten million characters', () => 'a'.repeat(10_000_000)],
  ['a key of a million characters', () => ({ ['a'.repeat(1_000_000)]: 1 })],
  ['a number without end', () => ({ number: 10n ** 5000n })],
  [
    'a member whose JSON fails',
    () => ({
      toJSON: () => {
        throw new Error('no JSON')
      },
    }),
  ],
  ['a member without JSON', () => ({ toJSON: () => undefined })],
  ['a symbol in a list', () => [Symbol('mark')]],
]

describe('shownValue', () => {
  it.each(HOSTILE)('shows %s in one short line', (_, make) => {
    const shown = shownValue(make())
    expect(shown.length).toBeLessThanOrEqual(70)
    expect(shown).not.toContain('\n')
  })

  it('shows plain values as JSON', () => {
    const values = [{ a: 1, b: [true, null, 'c'], d: undefined }, [], {}, [undefined], new Date(0), -0, 1n, undefined]
    expect(values.map(shownValue)).toEqual([
      '{"a":1,"b":[true,null,"c"]}',
      '[]',
      '{}',
      '[null]',
      '"1970-01-01T00:00:00.000Z"',
      '0',
      '1',
      'undefined',
    ])
  })
})

const refused = (parse: () => unknown): { readonly code: string; readonly length: number } | undefined => {
  try {
    parse()
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(PixpressError)
    const { code, message } = error as PixpressError
    return { code, length: message.length }
  }
}

describe('every option', () => {
  // A parser that reads an object with a trap meets the trap's own error.
  it.each(HOSTILE.filter(([, make]) => make !== throwing))('refuses %s with a short message', (_, make) => {
    const value = make()
    for (const key of Object.keys(OPERATIONS)) {
      for (const given of [value, { type: value }, { method: value }, { method: 'scale', width: value }]) {
        const error = refused(() => resolveOperations({ [key]: given } as never))
        if (error !== undefined) expect(error.code, key).toBe('INVALID_OPTION')
        expect(error?.length ?? 0, key).toBeLessThan(1000)
      }
    }
    for (const [key, { parser }] of Object.entries(PROJECT_OPTIONS)) {
      const error = refused(() => parser.parse(value, key))
      expect(error?.length ?? 0, key).toBeLessThan(1000)
    }
  })

  it.each([
    ['deep', deepObject],
    ['circular', circular],
  ])('refuses a configuration of svgo that is %s', (_, make) => {
    for (const svgo of [{ js2svg: make() }, { plugins: [{ name: 'removeAttrs', params: make() }] }]) {
      expect(refused(() => resolveOperations({ svgo } as never))?.code).toBe('INVALID_OPTION')
    }
  })
})

it('compares no long text with names', () => {
  expect(nearest('a'.repeat(10_000_000), ['webp', 'avif'])).toBeUndefined()
})
