import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createFileCache } from '@pixpress/core'
import { loadCacheTransfer, openCache } from '@pixpress/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conforms, disagreements } from '../support/openapi.ts'
import { KEY, OTHER_KEY, basic, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

const SIGNER = '0123456789abcdef'
const ENTRY = Buffer.from('pixpress-signed-1\nwhatever')
const pathOf = (index: number, signer = SIGNER): string => `/cache/${signer}/${index.toString(16).padStart(64, '0')}`

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ 'max-bytes': '100kB', rate: '1/d' })
})
afterAll(() => server.stop())

describe('/cache', () => {
  it('keeps an entry, gives it back, and never replaces it', async () => {
    const target = pathOf(1)
    expect((await server.send('GET', target)).status).toBe(404)
    expect((await server.send('HEAD', target)).status).toBe(404)
    expect((await server.send('PUT', target, { body: ENTRY })).status).toBe(201)
    const again = await server.send('PUT', target, { body: Buffer.concat([ENTRY, ENTRY]) })
    expect([again.status, again.json<{ error: string }>().error]).toEqual([412, 'PreconditionFailed'])
    const answer = await server.send('GET', target)
    expect(answer.status).toBe(200)
    expect(answer.body.equals(ENTRY)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-length': String(ENTRY.length),
      'content-type': 'application/octet-stream',
    })
    expect((await server.send('HEAD', target)).status).toBe(200)
  })

  it('shows an account its own entries alone', async () => {
    await server.send('PUT', pathOf(2), { body: ENTRY })
    const other = { authorization: basic(OTHER_KEY) }
    expect((await server.send('GET', pathOf(2), other)).status).toBe(404)
    expect((await server.send('GET', `/cache/${SIGNER}`, other)).json()).toEqual({ keys: [] })
  })

  it('wants the credentials of an account', async () => {
    for (const method of ['GET', 'HEAD', 'PUT']) {
      expect((await server.send(method, pathOf(1), { authorization: basic('wrong') })).status).toBe(401)
    }
    expect((await server.send('GET', `/cache/${SIGNER}`, { authorization: undefined })).status).toBe(401)
  })

  it('lists keys in pages', async () => {
    const signer = 'aaaaaaaaaaaaaaaa'
    for (let index = 0; index < 1001; index++) await server.send('PUT', pathOf(index, signer), { body: ENTRY })
    const first = (await server.send('GET', `/cache/${signer}`)).json<{ keys: string[]; next?: string }>()
    expect(first.keys).toHaveLength(1000)
    expect(first.next).toBe(first.keys.at(-1))
    const second = (await server.send('GET', `/cache/${signer}?after=${first.next}`)).json()
    expect(second).toEqual({ keys: [(1000).toString(16).padStart(64, '0')] })
    expect((await server.send('GET', `/cache/${signer}?after=../x`)).status).toBe(400)
  })

  it.each([
    ['what is no entry', pathOf(3), Buffer.from('<script>'), 400],
    ['nothing', pathOf(3), Buffer.alloc(0), 400],
    ['more than an upload may have', pathOf(3), Buffer.concat([ENTRY, Buffer.alloc(170_000)]), 413],
    ['a key that is none', `/cache/${SIGNER}/abc`, ENTRY, 404],
    ['a signing key that is none', '/cache/abc/' + '0'.repeat(64), ENTRY, 404],
    ['a path', `/cache/${SIGNER}/..%2f..%2f${'0'.repeat(52)}`, ENTRY, 404],
  ])('refuses %s', async (_, target, body, status) => {
    expect((await server.send('PUT', target, { body })).status).toBe(status)
    expect((await server.send('GET', pathOf(3))).status).toBe(404)
  })

  it('refuses other methods', async () => {
    const answer = await server.send('DELETE', pathOf(1))
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, PUT'])
  })

  it('counts no compression, and is bound by no rate', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => server.send('GET', pathOf(9))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    const [first, second] = [await server.send('POST', '/shrink'), await server.send('POST', '/shrink')]
    expect([first.status, first.headers['compression-count'], second.status]).toEqual([400, '0', 429])
  })

  it('is as the OpenAPI document says', async () => {
    for (const [method, described, target, body] of [
      ['PUT', '/cache/{signer}/{key}', pathOf(20), ENTRY],
      ['PUT', '/cache/{signer}/{key}', pathOf(20), ENTRY],
      ['PUT', '/cache/{signer}/{key}', pathOf(21), Buffer.from('x')],
      ['GET', '/cache/{signer}/{key}', pathOf(20), undefined],
      ['GET', '/cache/{signer}/{key}', pathOf(22), undefined],
      ['GET', '/cache/{signer}', `/cache/${SIGNER}`, undefined],
    ] as const) {
      const answer = await server.send(method, target, body === undefined ? {} : { body })
      expect(disagreements(method, described, answer)).toEqual([])
    }
    expect(conforms({ keys: ['x'] }, { $ref: '#/components/schemas/CacheKeys' })).toBe(false)
  })

  it('is a metric and a line of the log without keys', async () => {
    await server.send('GET', pathOf(1))
    expect(server.log.at(-1)).toMatchObject({ route: '/cache/:signer/:key', method: 'GET', status: 200 })
    expect(JSON.stringify(server.log)).not.toContain(pathOf(1))
  })
})

describe('a server without a cache', () => {
  it('has nothing there', async () => {
    const none = await startTestServer({ 'cache-size': 'none' })
    expect((await none.send('PUT', pathOf(1), { body: ENTRY })).status).toBe(404)
    expect((await none.send('GET', `/cache/${SIGNER}`)).status).toBe(404)
    await none.stop()
  })
})

describe('two machines with a server', () => {
  it('find what the other has made', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-machines-'))
    const [one, other] = [path.join(folder, 'one'), path.join(folder, 'other')]
    const entries = Array.from({ length: 40 }, (_, index) => ({
      key: index.toString(16).padStart(64, '0'),
      entry: { meta: { index }, data: new Uint8Array(1000).fill(index) },
    }))
    for (const { key, entry } of entries) await createFileCache({ dir: one }).set(key, entry)
    const { pushCache, pullCache } = await loadCacheTransfer()
    const endpoint = `${server.url}/cache`
    const remote = { service: 'http', endpoint, key: KEY, signingKey: 'k'.repeat(32) } as const
    const { signal } = new AbortController()
    expect(await pushCache({ dir: one, remote, signal })).toEqual({ sent: 40, present: 0 })
    expect(await pullCache({ dir: other, remote, signal })).toEqual({ fetched: 40, present: 0, refused: 0 })
    const found = await Promise.all(entries.map(({ key }) => createFileCache({ dir: other }).get(key)))
    expect(found).toEqual(entries.map(({ entry }) => entry))
    const build = openCache({ dir: path.join(folder, 'build'), remote, mode: 'read' })
    expect(await build.get(entries[7]!.key)).toEqual(entries[7]!.entry)
    await build.close?.()
    await rm(folder, { recursive: true, force: true })
  })
})
