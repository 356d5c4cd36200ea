import { describe, expect, it } from 'vitest'
import { resolvePluginOptions } from '../../src/session/options/resolve.ts'
import { sessionIdentity } from '../../src/session/registry.ts'
import type { Options } from '../../src/session/options/options.ts'

const identity = (options: Options, root = '/site'): string => sessionIdentity(resolvePluginOptions(options, root))

describe('sessionIdentity', () => {
  it('is equal for equal options', () => {
    const [one, other] = [1, 2].map(() =>
      identity({ include: [/photos/], overrides: [{ include: /hero/i, quality: 90 }] }),
    )
    expect(one).toBe(other)
  })

  it.each<[string, Options, Options]>([
    ['expressions', { include: [/photos/] }, { include: [/icons/] }],
    ['flags', { exclude: /photos/ }, { exclude: /photos/i }],
    ['expressions of an override', { overrides: [{ include: /a/ }] }, { overrides: [{ include: /b/ }] }],
    ['texts and expressions', { include: ['photos'] }, { include: [/photos/] }],
    ['qualities', { quality: 80 }, { quality: 81 }],
  ])('tells %s apart', (_, one, other) => {
    expect(identity(one)).not.toBe(identity(other))
  })

  it('tells projects apart, and shows no key', () => {
    const engine = { endpoint: 'https://images.example.com', key: 'secret-key' }
    expect(identity({ engine })).not.toBe(identity({ engine }, '/shop'))
    expect(identity({ engine })).not.toContain('secret-key')
  })
})
