import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { failure, naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/storage/local/sqlite.ts'
import { hashKey, resolveSettings } from '../../src/index.ts'
import { sendRaw } from '../support/http.ts'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { KEY, OTHER_KEY, basic, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let server: TestServer
let images: TestImages

beforeAll(async () => {
  images = await makeImages()
  server = await startTestServer()
})
afterAll(() => server.stop())

const statusFor = async (authorization: string): Promise<number> =>
  (await server.send('POST', '/shrink', { authorization })).status

describe('authentication', () => {
  it('§5.1 HTTP Basic on every request', async () => {
    for (const [method, target] of [
      ['POST', '/shrink'],
      ['GET', `/output/${'0'.repeat(32)}`],
      ['POST', `/output/${'0'.repeat(32)}`],
      ['GET', '/anything'],
    ] as const) {
      const answer = await server.send(method, target, { authorization: undefined, headers: {} })
      expect(answer.status).toBe(401)
      expect(answer.headers['compression-count']).toBeUndefined()
    }
  })

  it('§5.2 the user name is api and the password the key', async () => {
    expect(await statusFor(basic(KEY))).toBe(400)
    expect(await statusFor(basic(KEY).replace('Basic', 'basic'))).toBe(400)
    expect(await statusFor(basic(KEY, 'root'))).toBe(401)
    expect(await statusFor(basic(`${KEY}x`))).toBe(401)
    expect(await statusFor(basic(KEY.slice(0, -1)))).toBe(401)
    expect(await statusFor(basic(''))).toBe(401)
    expect(await statusFor(`Bearer ${KEY}`)).toBe(401)
    expect(await statusFor('Basic !!!')).toBe(401)
    expect(await statusFor(`Basic ${Buffer.from(KEY).toString('base64')}`)).toBe(401)
  })

  it('§5.2 several keys, plain or hashed, of one account or of several', async () => {
    const hashed = `sha256:${hashKey('second-key').toString('hex')}`
    const rotating = await startTestServer({ key: `shop=first-key shop=${hashed} other=third-key` })
    try {
      const count = async (key: string, body: Buffer | string = ''): Promise<string> =>
        String(
          (await rotating.send('POST', '/shrink', { body, authorization: basic(key) })).headers['compression-count'],
        )
      expect(await count('first-key', images.png)).toBe('1')
      expect(await count('second-key')).toBe('1')
      expect(await count('third-key')).toBe('0')
      expect(await count(hashed)).toBe('undefined')
    } finally {
      await rotating.stop()
    }
  })

  it('§5.4 encrypted connections only: refuses to listen in the clear beyond loopback', () => {
    expect(() => resolveSettings({ host: '0.0.0.0' })).toThrow(failure('INVALID_OPTION', '0.0.0.0', '--tls-cert'))
    expect(() => resolveSettings({ host: '::' })).toThrow(/Refusing/)
    expect(() => resolveSettings({ host: '10.0.0.1', 'public-url': 'http://localhost' })).toThrow(/Refusing/)
    expect(resolveSettings({ host: '0.0.0.0', 'public-url': 'https://images.example.org' }).host).toBe('0.0.0.0')
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost'])
      expect(resolveSettings({ host })).toBeDefined()
  })

  it('§5.5 invalid credentials: 401', async () => {
    const answer = await server.send('POST', '/shrink', { authorization: basic('wrong'), body: images.png })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toMatch(/^Basic /)
  })

  it('§7.3 401 has the error Unauthorized', async () => {
    const answer = await server.send('POST', '/shrink', { authorization: basic('wrong') })
    expect(answer.json()).toEqual({ error: 'Unauthorized', message: 'Credentials are invalid.' })
  })

  it('W§1.11 started with nothing: makes a key, keeps only its hash, and knows it again', async () => {
    const first = await startTestServer({ key: '' })
    const made = first.running.ownKey!.made!
    expect(made).toMatch(/^[\w-]{32}$/)
    expect((await first.send('POST', '/shrink', { authorization: basic(made) })).status).toBe(400)
    const kept = await readFile(path.join(first.folder, 'key'), 'utf8')
    expect(kept).toBe(`sha256:${hashKey(made).toString('hex')}\n`)
    expect(JSON.stringify(first.log)).not.toContain(made)
    await first.running.close()
    const again = await startTestServer({ key: '', data: first.folder })
    expect(again.running.ownKey!.made).toBeUndefined()
    expect((await again.send('POST', '/shrink', { authorization: basic(made) })).status).toBe(400)
    await again.stop()
    await first.stop()
  })
})

describe('errors', () => {
  it('§7.2 error body: JSON with the strings error and message', async () => {
    const answers = await Promise.all([
      server.send('POST', '/shrink'),
      server.send('POST', '/shrink', { authorization: basic('wrong') }),
      server.send('GET', '/nowhere'),
      server.send('PUT', '/shrink'),
      server.send('POST', '/shrink', { body: 'no image' }),
    ])
    for (const answer of answers) {
      expect(answer.headers['content-type']).toBe('application/json')
      const body = answer.json()
      expect(Object.keys(body)).toEqual(['error', 'message'])
      expect(body.error).toMatch(/^[A-Z][A-Za-z]+$/)
      expect(body.message).toMatch(/^.+\.$/)
    }
  })

  it('W§2 Compression-Count on every answer to an authenticated request', async () => {
    const requests = [
      ['POST', '/shrink'],
      ['PUT', '/shrink'],
      ['GET', '/nowhere'],
      ['GET', '/output/1'],
      ['DELETE', `/output/${'0'.repeat(32)}`],
      ['HEAD', '/output/1'],
    ] as const
    for (const [method, target] of requests) {
      expect((await server.send(method, target)).headers['compression-count'], `${method} ${target}`).toMatch(/^\d+$/)
    }
  })

  it('W§2 405 MethodNotAllowed with Allow', async () => {
    for (const [method, target, allow] of [
      ['GET', '/shrink', 'POST'],
      ['PUT', '/shrink', 'POST'],
      ['DELETE', '/output/1', 'GET, HEAD, POST'],
      ['PATCH', '/output/1', 'GET, HEAD, POST'],
      ['POST', '/healthz', 'GET, HEAD'],
    ] as const) {
      const answer = await server.send(method, target)
      expect([answer.status, answer.json().error, answer.headers.allow]).toEqual([405, 'MethodNotAllowed', allow])
    }
  })

  it('W§1.9 malformed HTTP is answered with the JSON error body', async () => {
    const requests = [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'POST /shrink HTTP/1.1\r\nHost: x\r\nContent-Length: five\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
      'GET http://[broken/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    ]
    for (const request of requests) {
      const answer = await sendRaw(server.url, request)
      expect(answer, request.slice(0, 40)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
      expect(answer).toMatch(/content-type: application\/json/i)
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ error: 'BadRequest' })
    }
  })
})

describe('limits', () => {
  it('§7.4 rate limit: W§2 429 TooManyRequests with Retry-After', async () => {
    const limited = await startTestServer({ rate: '3/h' })
    try {
      for (let i = 0; i < 3; i++) expect((await limited.send('POST', '/shrink')).status).toBe(400)
      const refused = await limited.send('POST', '/shrink', { body: images.png })
      expect([refused.status, refused.json().error]).toEqual([429, 'TooManyRequests'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1000)
      expect(refused.headers['compression-count']).toBe('0')
      expect((await limited.send('POST', '/shrink', { authorization: basic(OTHER_KEY) })).status).toBe(400)
    } finally {
      await limited.stop()
    }
  })

  it('§8.1 compression count: reported in Compression-Count, one upload and two resizes are three', async () => {
    const fresh = await startTestServer()
    try {
      const upload = await fresh.send('POST', '/shrink', { body: images.png })
      const json = { resize: { method: 'scale', width: 30 } }
      await fresh.send('POST', upload.headers.location!, { json })
      const last = await fresh.send('GET', upload.headers.location!, { json })
      expect(last.headers['compression-count']).toBe('3')
    } finally {
      await fresh.stop()
    }
  })

  it('W§2 429 TooManyRequests: monthly quota, exact under concurrency', async () => {
    const limited = await startTestServer({ 'monthly-limit': '3' })
    try {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => limited.send('POST', '/shrink', { body: images.png })),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(5)
      for (const answer of refused) {
        expect(answer.json().error).toBe('TooManyRequests')
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
      const location = answers.find(({ status }) => status === 201)!.headers.location!
      const resize = await limited.send('POST', location, { json: { resize: { method: 'scale', width: 9 } } })
      expect(resize.status).toBe(429)
      const plain = await limited.send('GET', location)
      expect([plain.status, plain.headers['compression-count']]).toEqual([200, '3'])
      expect((await limited.send('POST', '/shrink')).json().error).toBe('InputMissing')
    } finally {
      await limited.stop()
    }
  })

  it('W§2 503 ServiceUnavailable with Retry-After: queue full', async () => {
    const narrow = await startTestServer({ concurrency: '1', queue: '1' })
    try {
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => narrow.send('POST', '/shrink', { body: images.jpeg })),
      )
      const refused = answers.filter(({ status }) => status === 503)
      expect(refused.length).toBeGreaterThanOrEqual(1)
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(6 - refused.length)
      for (const answer of refused) {
        expect(answer.json().error).toBe('ServiceUnavailable')
        expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
      }
      const after = await narrow.send('POST', '/shrink', { body: images.jpeg })
      expect(after.headers['compression-count']).toBe(String(6 - refused.length + 1))
    } finally {
      await narrow.stop()
    }
  })

  it('§8.4 output retention: an expired output is 404', async () => {
    const brief = await startTestServer({ retention: '300ms' })
    try {
      const upload = await brief.send('POST', '/shrink', { body: images.png })
      expect((await brief.send('GET', upload.headers.location!)).status).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 320))
      expect((await brief.send('GET', upload.headers.location!)).status).toBe(404)
    } finally {
      await brief.stop()
    }
  })

  it('W§2 500 InternalServerError tells nothing; the log says why', async () => {
    const broken = await startTestServer()
    try {
      const upload = await broken.send('POST', '/shrink', { body: images.png })
      const id = upload.headers.location!.slice(-32)
      const database = await openDatabase(path.join(broken.folder, 'pixpress.sqlite'))
      database.prepare("update outputs set record = 'not json' where id = ?").run(id)
      database.close()
      const answer = await broken.send('GET', upload.headers.location!)
      expect([answer.status, answer.json().error]).toEqual([500, 'InternalServerError'])
      expect(answer.body.toString()).not.toMatch(/json|sqlite|Unexpected|token/)
      const line = broken.log.find(({ event }) => event === 'request failed')!
      expect(line).toMatchObject({ level: 'error', request: answer.headers['x-request-id'] })
      expect(line.error).toEqual(naming('DamagedRecordError', 'JSON'))
    } finally {
      await broken.stop()
    }
  })
})
