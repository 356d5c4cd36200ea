import { describe, expect, it } from 'vitest'
import { STORES, STORE_SERVICES, isStoreService, membersOf } from '../../src/objects/index.ts'
import type { StoreOptions, StoreService } from '../../src/objects/index.ts'
import { store, storeLocation } from '../../src/objects/store.ts'

/** Returns the required options of a store, and the first of each group of which it needs one. */
function leastOptions(service: StoreService): StoreOptions {
  const members = Object.entries(STORES[service].members)
  const either = members.find(([, { required: isRequired }]) => isRequired === 'one')
  const required = members.filter(([, { required: isRequired }]) => isRequired === true)
  if (either !== undefined) required.push(either)
  const values = required.map(([name]) => [name, name.replaceAll('_', '-')] as const)
  return { service, path: 'pictures/a.png', ...Object.fromEntries(values) } as never
}

describe.each(STORE_SERVICES)('the store %s', (service) => {
  const options = leastOptions(service)

  it('is found by its service', () => {
    expect(isStoreService(service)).toBe(true)
    expect(membersOf(service)).toEqual(expect.arrayContaining(Object.keys(options)))
  })

  it('has a URL of its own without an endpoint', () => {
    expect(storeLocation(options)).toMatch(/^https:\/\/[\w.-]+\/pictures\/a\.png$/)
    const endpoint = 'https://objects.example.com/base/'
    expect(storeLocation({ ...options, endpoint })).toBe('https://objects.example.com/base/pictures/a.png')
  })

  it.each(Object.keys(options))('refuses options without %s', (name) => {
    const isOneOfSeveral = STORES[service].members[name]?.required === 'one'
    const said = isOneOfSeveral ? `exactly one of '${name}'` : `'store.${name}'`
    expect(() => storeLocation({ ...options, [name]: undefined })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(said) }),
    )
  })

  it('says what to do about a missing bucket, and about credentials that are wrong', () => {
    expect(Object.values(STORES[service].hints).join()).toMatch(/no such (?:bucket|container)/)
    expect(Object.keys(STORES[service].hints).length).toBeGreaterThan(1)
  })

  it('authorises requests, and sends the type of the image', async () => {
    let sent: Request | undefined
    const fetch = async (request: Request): Promise<Response> => {
      sent = request
      return new Response(null)
    }
    await store({ data: Buffer.from('bytes'), info: { type: 'image/png' } }, options, { fetch })
    expect(sent!.headers.get('content-type')).toBe('image/png')
    expect(sent!.headers.get('authorization')).toBeTruthy()
  })
})

it('no other service is known', () => {
  expect(isStoreService('toString')).toBe(false)
  expect(isStoreService(undefined)).toBe(false)
})
