import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { expect, it } from 'vitest'
import { createGuardedLookup } from '../../src/source/guarded-lookup.ts'

const OUTER = { address: '93.184.216.34', family: 4 }
const OTHER = { address: '2606:2800:220:1::1', family: 6 }
const INNER = { address: '127.0.0.1', family: 4 }

const refusal = (): Error => new TypeError()

/** Looks up a name with these addresses; returns what the socket gets: one address, or all. */
function lookUp(addresses: readonly LookupAddress[], all: boolean): Promise<unknown> {
  const resolver = ((_host, _options, callback) => callback(null, [...addresses])) as LookupFunction
  const lookup = createGuardedLookup(resolver, (address) => address !== INNER.address, refusal)
  return new Promise((resolve, reject) => {
    lookup('a.example', { all }, (error, found) => (error === null ? resolve(found) : reject(error)))
  })
}

it('gives a socket the addresses of a name if all of them are allowed', async () => {
  expect(await lookUp([OUTER, OTHER], true)).toEqual([OUTER, OTHER])
  expect(await lookUp([OUTER, OTHER], false)).toBe(OUTER.address)
})

it.each([[[INNER]], [[INNER, OUTER]], [[OUTER, INNER]], [[OUTER, OTHER, INNER]], [[]]])(
  'refuses %j',
  async (addresses) => {
    await expect(lookUp(addresses, true)).rejects.toThrow(TypeError)
    await expect(lookUp(addresses, false)).rejects.toThrow(TypeError)
  },
)
