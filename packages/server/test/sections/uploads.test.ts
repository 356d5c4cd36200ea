import { detectType } from '@pixpress/core'
import { photo } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { sendRaw } from '../support/http.ts'
import { KEY, OTHER_KEY, basic, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'
import { serveFiles } from '../support/file-server.ts'
import type { FileServer } from '../support/file-server.ts'

let server: TestServer
let files: FileServer
let images: TestImages

beforeAll(async () => {
  images = await makeImages()
  files = await serveFiles({
    '/photo.jpg': images.jpeg,
    '/empty.jpg': Buffer.alloc(0),
    '/text.txt': Buffer.from('hello'),
  })
  server = await startTestServer({ 'allow-source': `127.0.0.1:${files.port}` })
})
afterAll(async () => {
  await server.stop()
  await files.close()
})

const count = async (): Promise<number> => Number((await server.send('POST', '/shrink')).headers['compression-count'])

describe('uploads', () => {
  it('§1 accepted types: AVIF, WebP, JPEG and PNG, told apart by content', async () => {
    const picture = photo(48, 32)
    const uploads = {
      avif: await picture.avif(),
      webp: await picture.webp(),
      jpeg: await picture.jpeg(),
      png: await picture.png(),
    }
    for (const [type, body] of Object.entries(uploads)) {
      const answer = await server.send('POST', '/shrink', { body, headers: { 'Content-Type': 'image/gif' } })
      expect(answer.status).toBe(201)
      expect(answer.json()).toMatchObject({ input: { type: `image/${type}` }, output: { type: `image/${type}` } })
    }
  })

  it('§2.1 output resource: created by an upload, at {base_url}/output/<output_id>', async () => {
    const first = await server.send('POST', '/shrink', { body: images.jpeg })
    const second = await server.send('POST', '/shrink', { body: images.jpeg })
    expect(first.headers.location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/output\/[\da-f]{32}$/)
    expect(first.headers.location).toContain(server.url)
    expect(second.headers.location).not.toBe(first.headers.location)
  })

  it('§2.2 upload response body: input and output with size and type', async () => {
    const answer = await server.send('POST', '/shrink', { body: images.png })
    const body = answer.json<{ input: Record<string, unknown>; output: Record<string, unknown> }>()
    expect(body.input).toEqual({ size: images.png.length, type: 'image/png' })
    expect(body.output).toMatchObject({ type: 'image/png' })
    expect(body.output.size).toBeLessThan(images.png.length)
  })

  it('§4.2 file upload: the raw bytes as the body, Content-Type not required', async () => {
    const answer = await server.send('POST', '/shrink', { body: images.jpeg })
    expect(answer.status).toBe(201)
  })

  it('§4.2 by URL: JSON object with source.url', async () => {
    const answer = await server.send('POST', '/shrink', { json: { source: { url: `${files.url}/photo.jpg` } } })
    expect(answer.status).toBe(201)
    expect(answer.json()).toMatchObject({ input: { size: images.jpeg.length, type: 'image/jpeg' } })
  })

  it('§4.2 success: 201 with Compression-Count, Location and a JSON body', async () => {
    const answer = await server.send('POST', '/shrink', { body: images.jpeg })
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({
      'compression-count': expect.stringMatching(/^\d+$/),
      location: expect.any(String),
      'content-type': 'application/json',
    })
  })

  it('§4.2 the upload counts as one compression', async () => {
    const before = await count()
    const answer = await server.send('POST', '/shrink', { body: images.jpeg })
    expect(Number(answer.headers['compression-count'])).toBe(before + 1)
  })

  it('W§1.1 uploads carry any Content-Type', async () => {
    const types = [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/jsonp',
    ]
    for (const type of types) {
      const answer = await server.send('POST', '/shrink', { body: images.jpeg, headers: { 'Content-Type': type } })
      expect(answer.status, type).toBe(201)
    }
    const parameters = await server.send('POST', '/shrink', {
      body: JSON.stringify({ source: { url: `${files.url}/photo.jpg` } }),
      headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
    })
    expect(parameters.status).toBe(201)
  })

  it('W§1.3 Location is an absolute address, below the public URL where there is one', async () => {
    const behindProxy = await startTestServer({ 'public-url': 'https://images.example.org/api/' })
    try {
      const answer = await behindProxy.send('POST', '/shrink', { body: images.jpeg })
      expect(answer.headers.location).toMatch(/^https:\/\/images\.example\.org\/api\/output\/[\da-f]{32}$/)
      expect(answer.json<{ output: { url: string } }>().output.url).toBe(answer.headers.location)
    } finally {
      await behindProxy.stop()
    }
  })

  it('W§1.8 an empty upload validates a key: 400 InputMissing with Compression-Count, 401 for a wrong key', async () => {
    const head = `POST /shrink HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: `
    const right = await sendRaw(server.url, `${head}${basic(KEY)}\r\n\r\n`, { end: false })
    expect(right).toMatch(/^HTTP\/1\.1 400 /)
    expect(right).toMatch(/^compression-count: \d+\r$/im)
    expect(right).toContain('"error":"InputMissing"')
    const wrong = await sendRaw(server.url, `${head}${basic('wrong')}\r\n\r\n`, { end: false })
    expect(wrong).toMatch(/^HTTP\/1\.1 401 /)
    for (const headers of [
      { 'Content-Length': '0' },
      { 'Content-Type': 'application/json' },
      { 'Transfer-Encoding': 'chunked' },
    ]) {
      const answer = await server.send('POST', '/shrink', { headers })
      expect(answer.json()).toMatchObject({ error: 'InputMissing' })
    }
  })

  it('W§2 201 of /shrink: input, output with width, height, ratio and url', async () => {
    const answer = await server.send('POST', '/shrink', { body: images.jpeg })
    const { input, output } = answer.json<{ input: { size: number }; output: Record<string, unknown> }>()
    expect(output).toEqual({
      size: expect.any(Number),
      type: 'image/jpeg',
      width: 120,
      height: 80,
      ratio: Number((Number(output.size) / input.size).toFixed(4)),
      url: answer.headers.location,
    })
  })

  it('W§2 400 InputMissing: empty upload, or JSON without source.url', async () => {
    for (const json of [{}, { source: {} }]) {
      const answer = await server.send('POST', '/shrink', { json })
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({ error: 'InputMissing' })
    }
    const empty = await server.send('POST', '/shrink', { json: { source: { url: `${files.url}/empty.jpg` } } })
    expect(empty.json()).toMatchObject({ error: 'InputMissing' })
  })

  it('W§2 400 BadRequest on /shrink: malformed JSON, unknown key, wrong type', async () => {
    const malformed = await server.send('POST', '/shrink', {
      body: '{"source":{"url":"http://exam',
      headers: { 'Content-Type': 'application/json' },
    })
    expect([malformed.status, malformed.json().error]).toEqual([400, 'BadRequest'])
    const cases = [
      [[], /JSON object/],
      [{ sourse: { url: 'x' } }, /'sourse'.*Did you mean 'source'/],
      [{ source: 'http://example.org/' }, /'source' must be a JSON object/],
      [{ source: { url: 5 } }, /'source\.url' must be a text/],
      [{ source: { uri: 'x' } }, /'source\.uri'.*'url'/],
    ] as const
    for (const [json, message] of cases) {
      const answer = await server.send('POST', '/shrink', { json })
      expect([answer.status, answer.json().error]).toEqual([400, 'BadRequest'])
      expect(answer.json().message).toMatch(message)
    }
  })

  it('W§2 400 SourceNotFound: malformed, refused by policy, unreachable, or answers other than 200', async () => {
    const urls = [
      ['not an address', /not a valid URL/],
      ['ftp://example.org/a.jpg', /http or https/],
      ['http://user:password@example.org/a.jpg', /credentials/],
      ['http://169.254.169.254/latest/', /not one that the service may fetch from/],
      ['http://example.org:22/', /port/],
      [`${files.url}/missing.jpg`, /does not answer with an image/],
      ['http://nowhere.invalid/a.jpg', /not one that the service may fetch from/],
    ] as const
    for (const [url, message] of urls) {
      const answer = await server.send('POST', '/shrink', { json: { source: { url } } })
      expect([answer.status, answer.json().error], url).toEqual([400, 'SourceNotFound'])
      expect(answer.json().message).toMatch(message)
      expect(answer.body.toString()).not.toMatch(/169\.254|127\.0\.0\.1|password|ENOTFOUND/)
    }
  })

  it('W§2 400 DecodeError: image bytes that cannot be decoded', async () => {
    const answer = await server.send('POST', '/shrink', { body: images.jpeg.subarray(0, 60) })
    expect([answer.status, answer.json().error]).toEqual([400, 'DecodeError'])
  })

  it('W§2 413 InputTooLarge: more bytes or pixels than the limit', async () => {
    const small = await startTestServer({ 'max-bytes': '200kB', 'max-pixels': '4000' })
    try {
      const bytes = await small.send('POST', '/shrink', { body: Buffer.alloc(200_001) })
      expect([bytes.status, bytes.json().error]).toEqual([413, 'InputTooLarge'])
      const json = await small.send('POST', '/shrink', {
        json: { source: { url: `${files.url}/${'x'.repeat(65_536)}` } },
      })
      expect([json.status, json.json().error]).toEqual([413, 'InputTooLarge'])
      const pixels = await small.send('POST', '/shrink', { body: images.jpeg })
      expect([pixels.status, pixels.json().error]).toEqual([413, 'InputTooLarge'])
      expect(pixels.headers['compression-count']).toBe('0')
    } finally {
      await small.stop()
    }
  })

  it('W§2 415 UnsupportedMediaType: a file type outside the accepted ones', async () => {
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    expect(detectType(gif)).toBe('image/gif')
    const bodies = [
      gif,
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.from('%PDF-1.4'),
      Buffer.from('hello'),
    ]
    for (const body of bodies) {
      const answer = await server.send('POST', '/shrink', { body })
      expect([answer.status, answer.json().error]).toEqual([415, 'UnsupportedMediaType'])
    }
    const text = await server.send('POST', '/shrink', { json: { source: { url: `${files.url}/text.txt` } } })
    expect(text.status).toBe(415)
  })

  it('W§3 the output is never larger than the upload', async () => {
    const once = await server.send('POST', '/shrink', { body: images.jpeg })
    const compressed = await server.send('GET', once.headers.location!)
    const twice = await server.send('POST', '/shrink', { body: compressed.body })
    expect(twice.json<{ output: { size: number } }>().output.size).toBeLessThanOrEqual(compressed.body.length)
  })

  it('§8 counts per account', async () => {
    const before = await count()
    const other = await server.send('POST', '/shrink', { body: images.jpeg, authorization: basic(OTHER_KEY) })
    expect(other.headers['compression-count']).toBe('1')
    expect(await count()).toBe(before)
  })

  it('§8 a failed upload counts nothing', async () => {
    const before = await count()
    await server.send('POST', '/shrink', { body: images.jpeg.subarray(0, 60) })
    await server.send('POST', '/shrink', { body: 'no image' })
    expect(await count()).toBe(before)
  })
})
