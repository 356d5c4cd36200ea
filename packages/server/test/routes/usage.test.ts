import { naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keysCommand } from '../../src/index.ts'
import { sendRequest } from '../support/http.ts'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { disagreements } from '../support/openapi.ts'
import { basic, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let server: TestServer
let images: TestImages

beforeAll(async () => {
  images = await makeImages()
  server = await startTestServer({ 'metrics-port': '0', 'monthly-limit': '9' })
})
afterAll(() => server.stop())

/** Adds a key by the command, while the server runs. Returns its authorization. */
async function added(...argv: string[]): Promise<string> {
  let out = ''
  const host = { cwd: server.folder, env: {}, out: (text: string) => void (out += text) }
  await keysCommand(['add', ...argv, '--data', server.folder, '--json'], host)
  return basic((JSON.parse(out) as { key: string }).key)
}

describe('GET /usage', () => {
  it("has the account's own use of this month, its limit and its rate", async () => {
    const authorization = await added('shop', '--monthly-limit', '500', '--rate', '600/min')
    const upload = await server.send('POST', '/shrink', { authorization, body: images.png })
    const json = { resize: { method: 'scale', width: 9 }, convert: { type: 'image/webp' } }
    expect((await server.send('POST', upload.headers.location!, { authorization, json })).status).toBe(200)
    const answer = await server.send('GET', '/usage', { authorization })
    const { input, output } = upload.json<Record<'input' | 'output', { size: number }>>()
    expect(answer.json()).toEqual({
      account: 'shop',
      month: new Date().toISOString().slice(0, 7),
      compressions: 3,
      limit: 500,
      rate: { requests: 600, seconds: 60 },
      bytes: { in: input.size, out: output.size, saved: input.size - output.size },
    })
    expect(input.size).toBeGreaterThan(output.size)
    expect(answer.headers['compression-count']).toBe('3')
    expect(disagreements('GET', '/usage', answer)).toEqual([])
  })

  it('says null of what is not limited, and has the defaults of the server', async () => {
    const plain = await server.send('GET', '/usage', { authorization: await added('plain') })
    expect(plain.json()).toMatchObject({ compressions: 0, limit: 9, rate: null, bytes: { in: 0, out: 0, saved: 0 } })
    expect(disagreements('GET', '/usage', plain)).toEqual([])
    const free = await server.send('GET', '/usage', { authorization: await added('free', '--monthly-limit', 'none') })
    expect(free.json()).toMatchObject({ account: 'free', limit: null })
    expect(disagreements('GET', '/usage', free)).toEqual([])
    const wrong = await server.send('GET', '/usage', { authorization: basic('wrong') })
    expect([wrong.status, disagreements('GET', '/usage', wrong)]).toEqual([401, []])
    expect((await server.send('POST', '/usage')).headers.allow).toBe('GET, HEAD')
  })
})

describe('keys that commands add', () => {
  it('are limited as each of them says', async () => {
    const authorization = await added('small', '--monthly-limit', '1', '--rate', '3/h')
    const send = () => server.send('POST', '/shrink', { authorization, body: images.png })
    expect((await send()).status).toBe(201)
    const full = await send()
    expect([full.status, full.json().message]).toEqual([429, expect.stringContaining('1 compressions')])
    await send()
    expect((await send()).json().message).toContain('time between them')
  })

  it('are refused with 401 once they have expired or were revoked', async () => {
    const expired = await server.send('POST', '/shrink', {
      authorization: await added('old', '--expires', '2020-01-01'),
    })
    expect([expired.status, expired.json()]).toEqual([
      401,
      { error: 'Unauthorized', message: expect.stringContaining('key has expired') },
    ])
    expect(expired.headers['www-authenticate']).toMatch(/^Basic /)
    const authorization = await added('gone')
    expect((await server.send('POST', '/shrink', { authorization })).status).toBe(400)
    await keysCommand(['revoke', 'gone'], { cwd: server.folder, env: { PIXPRESS_DATA: '.' }, out: () => undefined })
    const revoked = await server.send('POST', '/shrink', { authorization })
    expect([revoked.status, revoked.json().message]).toEqual([401, expect.stringContaining('key was revoked')])
    expect(disagreements('POST', '/shrink', revoked)).toEqual([])
  })

  it('are refused with 403 for what they may not be used for, before any work', async () => {
    const authorization = await added('narrow', '--operations', 'shrink,resize')
    const upload = await server.send('POST', '/shrink', { authorization, body: images.png })
    const location = upload.headers.location!
    const send = (json: object) => server.send('POST', location, { authorization, json })
    const resize = { method: 'scale', width: 9 }
    expect((await send({ resize })).status).toBe(200)
    const refused = await send({ resize, convert: { type: 'image/webp' } })
    expect([refused.status, refused.json()]).toEqual([
      403,
      { error: 'Forbidden', message: naming("'convert'", 'shrink, resize') },
    ])
    expect(refused.headers['compression-count']).toBe('2')
    expect(disagreements('POST', '/output/{id}', refused)).toEqual([])
    expect((await server.send('GET', location, { authorization })).status).toBe(200)
    expect((await server.send('GET', '/cache/0123456789abcdef', { authorization })).status).toBe(403)
    const reader = await added('reader', '--operations', 'cache')
    expect((await server.send('GET', '/cache/0123456789abcdef', { authorization: reader })).status).toBe(200)
    const upload2 = await server.send('POST', '/shrink', { authorization: reader, body: images.png })
    expect([upload2.status, disagreements('POST', '/shrink', upload2)]).toEqual([403, []])
    // An empty upload asks whether the key is right, and any right key may ask.
    expect((await server.send('POST', '/shrink', { authorization: reader })).json().error).toBe('InputMissing')
  })

  it('have metrics by the names of their accounts, and no key is in metrics or log', async () => {
    const authorization = await added('measured')
    const key = Buffer.from(authorization.slice(6), 'base64').toString().slice(4)
    const upload = await server.send('POST', '/shrink', { authorization, body: images.png })
    const json = { convert: { type: 'image/webp' } }
    await server.send('POST', upload.headers.location!, { authorization, json })
    const { input, output } = upload.json<Record<'input' | 'output', { size: number }>>()
    const text = (await sendRequest('GET', new URL(server.running.metricsUrl!))).body.toString()
    expect(text).toContain('\npixpress_account_compressions_total{account="measured"} 2\n')
    expect(text).toContain(`\npixpress_account_bytes_in_total{account="measured"} ${input.size}\n`)
    expect(text).toContain(`\npixpress_account_bytes_saved_total{account="measured"} ${input.size - output.size}\n`)
    for (const seen of [text, JSON.stringify(server.log)]) {
      expect(seen).not.toContain(key)
      expect(seen).not.toContain(key.slice(0, 6))
    }
  })
})
