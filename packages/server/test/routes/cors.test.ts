import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { KEY, basic, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

const PAGE = 'https://www.example.com'

let images: TestImages
let server: TestServer
let closed: TestServer

beforeAll(async () => {
  images = await makeImages()
  server = await startTestServer({ 'allow-origin': `${PAGE},http://127.0.0.1:5173` })
  closed = await startTestServer()
})
afterAll(async () => {
  await server.stop()
  await closed.stop()
})

const preflight = (to: TestServer, origin: string): Promise<Response> =>
  fetch(`${to.url}/shrink`, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  })

const upload = (to: TestServer, origin: string, key = KEY): Promise<Response> =>
  fetch(`${to.url}/shrink`, {
    method: 'POST',
    headers: { Origin: origin, Authorization: basic(key) },
    body: new Uint8Array(images.png),
  })

describe('pages of allowed origins', () => {
  it('are told, without a key, what they may ask', async () => {
    const { status, headers } = await preflight(server, PAGE)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(headers.get('access-control-allow-methods')).toContain('POST')
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
  })

  it('read the answer and its headers', async () => {
    const { status, headers } = await upload(server, PAGE)
    expect(status).toBe(201)
    expect(headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(headers.get('access-control-expose-headers')).toContain('Location')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('vary')).toContain('Origin')
  })

  it('read what went wrong as well', async () => {
    const answer = await upload(server, PAGE, 'wrong')
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(await answer.json()).toMatchObject({ error: 'Unauthorized' })
  })
})

describe('pages of other origins', () => {
  it.each(['https://evil.example.com', 'http://www.example.com', 'https://www.example.com.evil.example', 'null'])(
    'are allowed nothing: %s',
    async (origin) => {
      for (const { headers } of [await preflight(server, origin), await upload(server, origin)])
        expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )
})

describe('a server without the setting', () => {
  it('allows no page and answers a preflight as any other method', async () => {
    const answer = await preflight(closed, PAGE)
    expect(answer.status).toBe(401)
    for (const { headers } of [answer, await upload(closed, PAGE)])
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
