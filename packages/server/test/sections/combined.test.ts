import { detectType } from '@pixpress/core'
import { decode, naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/http.ts'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { OTHER_KEY, basic, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let server: TestServer
let images: TestImages
/** Paths of outputs. */
let jpeg: string
let transparent: string
let compressed: Answer

beforeAll(async () => {
  images = await makeImages()
  server = await startTestServer()
  jpeg = await upload(images.jpeg)
  transparent = await upload(images.transparent)
  compressed = await server.send('GET', jpeg)
})
afterAll(() => server.stop())

async function upload(body: Buffer): Promise<string> {
  const answer = await server.send('POST', '/shrink', { body })
  return new URL(answer.headers.location!).pathname
}

const ask = (json: unknown, target = jpeg, method = 'POST'): Promise<Answer> => server.send(method, target, { json })
const size = ({ headers }: Answer): [number, number] => [
  Number(headers['image-width']),
  Number(headers['image-height']),
]
const count = ({ headers }: Answer): number => Number(headers['compression-count'])
const now = async (): Promise<number> => count(await server.send('GET', jpeg))

/** The headers must be true of the body, whatever the operation. */
async function expectImage(answer: Answer, type: string): Promise<void> {
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe(type)
  expect(detectType(answer.body)).toBe(type)
  expect(Number(answer.headers['content-length'])).toBe(answer.body.length)
  const { width, height } = await decode(answer.body)
  expect(size(answer)).toEqual([width, height])
}

describe('combined and unusual requests', () => {
  it('W§1.2 commands by GET act as by POST; GET with {} is the download', async () => {
    const before = await now()
    const answer = await ask({ resize: { method: 'scale', width: 60 } }, jpeg, 'GET')
    await expectImage(answer, 'image/jpeg')
    expect(size(answer)).toEqual([60, 40])
    expect(count(answer)).toBe(before + 1)
    for (const method of ['GET', 'POST']) {
      const plain = await ask({}, jpeg, method)
      expect(plain.body.equals(compressed.body)).toBe(true)
      expect(count(plain)).toBe(before + 1)
    }
  })

  it('W§1.6 commands can be combined in any key order; each counts', async () => {
    const before = await now()
    const resize = { method: 'cover', width: 32, height: 32 }
    const convert = { type: ['image/webp', 'image/jpeg'] }
    const transform = { background: '#00FF00' }
    const one = await ask({ resize, convert, transform, preserve: ['copyright'] }, transparent)
    const two = await ask({ preserve: ['copyright'], transform, convert, resize }, transparent)
    expect(size(one)).toEqual([32, 32])
    expect(two.body.equals(one.body)).toBe(true)
    expect(count(two)).toBe(before + 4)
  })

  it('W§1.9 malformed or cut JSON is answered with the JSON error body', async () => {
    const body = Buffer.from('{"resize":{"method":"scale","width":60},"preserve":["cöpyright"]}')
    const cut = await server.send('POST', jpeg, {
      body: body.subarray(0, body.length - 1),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(cut.status).toBe(400)
    expect(cut.headers['content-type']).toBe('application/json')
    expect(cut.json()).toMatchObject({ error: 'BadRequest', message: expect.stringContaining('JSON') })
  })

  it('W§2 400 BadRequest: unknown keys are named with a suggestion', async () => {
    const answer = await ask({ resise: { method: 'scale', width: 60 } })
    expect([answer.status, answer.json().error]).toEqual([400, 'BadRequest'])
    expect(answer.json().message).toEqual(naming("'resise'", "'resize'"))
    for (const json of [[], 'resize', 5, null, { quality: 10 }, { resize: [] }, { convert: 'image/webp' }]) {
      expect((await ask(json)).json().error, JSON.stringify(json)).toBe('BadRequest')
    }
  })

  it('commands that do not come as JSON are refused', async () => {
    const answer = await server.send('POST', jpeg, { body: '{"resize":{}}', headers: { 'Content-Type': 'text/plain' } })
    expect([answer.status, answer.json().error]).toEqual([400, 'BadRequest'])
    expect(answer.json().message).toContain('application/json')
  })

  it('W§2 404 NotFound: unknown output, or one of another account', async () => {
    const unknown = [`/output/${'0'.repeat(32)}`, '/output/nonsense', '/output/..%2f..%2fkey', '/elsewhere']
    for (const target of unknown) {
      const answer = await server.send('GET', target)
      expect([answer.status, answer.json().error, typeof answer.headers['compression-count']]).toEqual([
        404,
        'NotFound',
        'string',
      ])
    }
    const other = await server.send('GET', jpeg, { authorization: basic(OTHER_KEY) })
    const missing = await server.send('GET', `/output/${'0'.repeat(32)}`, { authorization: basic(OTHER_KEY) })
    expect(other.status).toBe(404)
    expect(other.json()).toEqual(missing.json())
  })

  it('W§3 results are never larger than the upload where its type stays', async () => {
    for (const json of [{ preserve: ['location'] }, { transform: { background: 'white' } }]) {
      expect((await ask(json)).body.length).toBeLessThanOrEqual(images.jpeg.length)
    }
  })
})
