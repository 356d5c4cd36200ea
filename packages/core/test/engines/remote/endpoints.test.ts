import { naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { createEndpoints } from '../../../src/engines/remote/endpoints.ts'
import type { Endpoint, Endpoints } from '../../../src/engines/remote/endpoints.ts'

const A = 'https://a.example.com'
const B = 'https://b.example.com/images/'
const NONE: ReadonlyMap<Endpoint, string> = new Map()

function open(places: number): { endpoints: Endpoints; a: Endpoint; b: Endpoint; left: string[] } {
  const left: string[] = []
  const endpoints = createEndpoints([A, B], places, ({ name }, reason) => left.push(`${name}: ${reason}`))
  const [a, b] = endpoints.all as [Endpoint, Endpoint]
  return { endpoints, a, b, left }
}

/** Returns the endpoints of the images that have been sent by now. */
async function settled(entering: readonly Promise<Endpoint | undefined>[]): Promise<(string | undefined)[]> {
  const waiting = new Promise<string>((resolve) => setImmediate(() => resolve('waiting')))
  return Promise.all(
    entering.map((each) =>
      Promise.race([each.then((endpoint) => (endpoint === undefined ? 'none' : endpoint.name[0]!)), waiting]),
    ),
  )
}

describe('createEndpoints', () => {
  it('spreads images by free places, and serves those who wait in their order', async () => {
    const { endpoints, a, b } = open(2)
    const entering = ['1', '2', '3', '4', '5', '6'].map((digest) => endpoints.enter(digest, NONE))
    expect(await settled(entering)).toEqual(['a', 'b', 'a', 'b', 'waiting', 'waiting'])
    endpoints.exit(b)
    expect(await settled(entering)).toEqual(['a', 'b', 'a', 'b', 'b', 'waiting'])
    endpoints.exit(a)
    expect(await settled(entering.slice(4))).toEqual(['b', 'a'])
  })

  it('goes on in turn where one image comes after the other', async () => {
    const { endpoints } = open(4)
    const went: string[] = []
    for (const digest of ['1', '2', '3', '4']) {
      const endpoint = (await endpoints.enter(digest, NONE))!
      went.push(endpoint.name)
      endpoints.exit(endpoint)
    }
    expect(went).toEqual(['a.example.com', 'b.example.com/images', 'a.example.com', 'b.example.com/images'])
  })

  it('sends an image to where it is, even if it has to wait there', async () => {
    const { endpoints, a } = open(1)
    const entering = ['same', 'same', 'other'].map((digest) => endpoints.enter(digest, NONE))
    expect(await settled(entering)).toEqual(['a', 'waiting', 'b'])
    endpoints.exit(a)
    expect(await settled(entering)).toEqual(['a', 'a', 'b'])
  })

  it('sends an image elsewhere once it has failed where it is', async () => {
    const { endpoints, a, b } = open(1)
    expect(await endpoints.enter('same', NONE)).toBe(a)
    expect(await endpoints.enter('same', new Map([[a, 'away']]))).toBe(b)
    expect(await settled([endpoints.enter('same', new Map(endpoints.all.map((each) => [each, 'away'])))])).toEqual([
      'none',
    ])
  })

  it('leaves an endpoint after three failures in a row, and says so while there are others', async () => {
    const { endpoints, a, b, left } = open(1)
    endpoints.failed(a, 'one')
    endpoints.failed(a, 'two')
    endpoints.succeeded(a)
    endpoints.failed(a, 'one')
    endpoints.failed(a, 'two')
    expect(endpoints.problemOf(a)).toBeUndefined()
    const entering = ['1', '2', '3'].map((digest) => endpoints.enter(digest, NONE))
    expect(await settled(entering)).toEqual(['a', 'b', 'waiting'])
    endpoints.failed(a, 'three')
    endpoints.exit(a)
    expect(await settled(entering)).toEqual(['a', 'b', 'waiting'])
    endpoints.exit(b)
    expect(await settled(entering)).toEqual(['a', 'b', 'b'])
    expect(left).toEqual([naming('a.example.com: ', '3 times', ': three')])
    const late = endpoints.enter('4', NONE)
    endpoints.leave(b, 'the key is wrong')
    expect(await late).toBeUndefined()
    expect(left).toHaveLength(1)
    endpoints.startBuild()
    endpoints.exit(b)
    expect(await settled([endpoints.enter('5', NONE)])).not.toEqual(['none'])
  })
})
