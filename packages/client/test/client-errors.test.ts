import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { photo, refuse, startImageService, transparentGraphic, naming } from '@pixpress/testkit'
import type { ImageService, ScriptedAnswer } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PixpressClientError, createClient } from '../src/index.ts'
import type { Client, ClientOptions } from '../src/index.ts'
import { VERSION } from '../src/sender.ts'

let service: ImageService
let client: Client
let folder: string
let png: Buffer
let transparent: Buffer

const connect = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ key: 'test-key', endpoint: service.endpoint, ...options })

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  png = await photo(96, 64).png()
  transparent = await transparentGraphic(96, 64).png()
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  service = await startImageService()
  client = connect()
})
afterEach(async () => {
  client.close()
  await service.close()
})

const empty: ScriptedAnswer = (response) =>
  void response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 0 }).end()

const paths = (): string[] => service.requests.map(({ method, path: address }) => `${method} ${address}`)

describe('errors', () => {
  it.each([
    [401, 'AccountError'],
    [429, 'AccountError'],
    [400, 'ClientError'],
    [415, 'ClientError'],
    [500, 'ServerError'],
    [503, 'ServerError'],
  ])('of status %s are of class %s', async (status, name) => {
    service.script.push((response) => refuse(response, status, 'SomeName', 'What is wrong.'))
    const error: unknown = await connect({ retries: 0 })
      .fromBuffer(png)
      .result()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PixpressClientError)
    expect(error).toMatchObject({
      name,
      status,
      error: 'SomeName',
      message: `What is wrong. (HTTP ${status}/SomeName)`,
    })
  })

  it('come from the service as they are', async () => {
    const source = client.fromBuffer(transparent).convert({ type: 'image/jpeg' })
    await expect(source.result()).rejects.toMatchObject({ status: 400, error: 'BackgroundRequired' })
    await expect(client.fromBuffer(Buffer.from('text')).result()).rejects.toMatchObject({ status: 415 })
  })

  it.each([
    ['a page', 'text/html', '<h1>Bad gateway</h1>'],
    ['nothing', 'text/plain', ''],
    ['JSON that is no object', 'application/json', '[1]'],
  ])('of %s say what came, without it', async (_, type, body) => {
    service.script.push((response) => void response.writeHead(502, { 'Content-Type': type }).end(body))
    await expect(connect({ retries: 0 }).fromBuffer(png).result()).rejects.toMatchObject({
      name: 'ServerError',
      error: 'ParseError',
      message: naming(type, body.length, '502', 'ParseError'),
    })
  })

  it('never hold the key or a storage secret', async () => {
    const credentials = Buffer.from('api:test-key').toString('base64')
    const source = client.fromBuffer(png)
    await source.upload()
    service.script.push((response) => refuse(response, 400, 'test-key', `test-key ${credentials} hush-hush`))
    const stored = source.store({ service: 'gcs', gcp_access_token: 'hush-hush', path: 'bucket/a.png' })
    const error: unknown = await stored.result().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: '… … … (HTTP 400/ParseError)' })
    for (const thing of [error, client, source, stored]) {
      const shown = `${inspect(thing, { depth: 9, showHidden: true })} ${JSON.stringify(thing)} ${String(thing)}`
      expect(shown).not.toMatch(/test-key|hush-hush/)
      expect(shown).not.toContain(credentials)
    }
  })

  it('say what an answer without an image was', async () => {
    const source = client.fromBuffer(png)
    await source.upload()
    service.script.push((response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('Log in'))
    await expect(source.result()).rejects.toMatchObject({
      name: 'ConnectionError',
      message: naming('6 bytes', 'text/html'),
    })
    service.script.push(empty, empty)
    for (const asked of [source.result(), source.open()])
      await expect(asked).rejects.toMatchObject({ error: 'BadAnswer' })
  })

  it('say that an upload has no URL', async () => {
    service.script.push((response) => void response.writeHead(201).end('{}'))
    await expect(client.fromBuffer(png).upload()).rejects.toMatchObject({ error: 'BadAnswer' })
  })
})

describe('locations', () => {
  it('may be relative, also under a path of the endpoint', async () => {
    const nested = connect({ endpoint: `${service.endpoint}/images/v1` })
    for (const location of ['output/7', '/images/v1/output/7']) {
      service.script.push((response) => void response.writeHead(201, { Location: location }).end('{}'))
      const { url } = await nested.fromBuffer(png).upload()
      expect(url).toBe(`${service.endpoint}/images/v1/output/7`)
    }
    expect(paths()[0]).toBe('POST /images/v1/shrink')
  })

  it('at another origin never get the key, nor what a storage asks for', async () => {
    const elsewhere = await startImageService()
    try {
      const move = (): void => {
        const headers = { Location: `${elsewhere.endpoint}/output/1` }
        service.script.push((response) => void response.writeHead(201, headers).end('{}'))
        elsewhere.script.push((response) => void response.writeHead(200, { 'Content-Type': 'image/png' }).end(png))
      }
      move()
      expect(await client.fromBuffer(png).toBuffer()).toEqual(png)
      expect(elsewhere.requests[0]!.headers.authorization).toBeUndefined()
      move()
      const stored = client.fromBuffer(png).store({ service: 'gcs', gcp_access_token: 'hush-hush', path: 'b/a.png' })
      await expect(stored.result()).rejects.toMatchObject({ name: 'ConnectionError', error: 'OtherOrigin' })
      expect(elsewhere.requests).toHaveLength(1)
    } finally {
      await elsewhere.close()
    }
  })

  it('that are not encrypted are refused', async () => {
    const headers = { Location: 'http://images.example.com/output/1' }
    service.script.push((response) => void response.writeHead(201, headers).end('{}'))
    await expect(client.fromBuffer(png).upload()).rejects.toThrow('unencrypted URL (http://images.example.com)')
  })

  it('of redirects are named and not followed', async () => {
    const elsewhere = await startImageService()
    try {
      const headers = { Location: `${elsewhere.endpoint}/shrink` }
      service.script.push((response) => void response.writeHead(307, headers).end())
      await expect(client.fromBuffer(png).upload()).rejects.toMatchObject({
        name: 'ConnectionError',
        status: 307,
        message: expect.stringContaining(`${elsewhere.endpoint}/shrink`),
      })
      expect(service.requests).toHaveLength(1)
      expect(elsewhere.requests).toHaveLength(0)
    } finally {
      await elsewhere.close()
    }
  })
})

it('gives the version of its manifest', async () => {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as object
  expect(manifest).toMatchObject({ version: VERSION })
  expect(manifest).not.toHaveProperty('dependencies')
})
