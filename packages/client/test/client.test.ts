import type { ServerResponse } from 'node:http'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { photo, refuse, startImageService, transparentGraphic, failure } from '@pixpress/testkit'
import type { ImageService, ScriptedAnswer } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AccountError, ClientError, createClient } from '../src/index.ts'
import type { Client, ClientOptions } from '../src/index.ts'

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

/** An upload's answer, after some milliseconds. */
const counted = (count: number, wait: number) => (response: ServerResponse) => {
  const headers = { 'Compression-Count': count, Location: '/output/1', 'Content-Type': 'application/json' }
  setTimeout(() => void response.writeHead(201, headers).end('{}'), wait)
}

const paths = (): string[] => service.requests.map(({ method, path: address }) => `${method} ${address}`)

describe('a source', () => {
  it('gives the compressed image', async () => {
    const result = await client.fromBuffer(png).result()
    expect(result).toMatchObject({ width: 96, height: 64, type: 'image/png', extension: 'png', compressionCount: 1 })
    expect(result.size).toBe(result.data!.length)
    expect(result.size!).toBeLessThan(png.length)
    expect(result.location).toBeUndefined()
    expect(paths()).toEqual(['POST /shrink', 'GET /output/1'])
  })

  it('uploads raw bytes with their length and says who it is', async () => {
    await connect({ appIdentifier: 'gallery/2' }).fromBuffer(png).upload()
    const { headers, body } = service.requests[0]!
    expect(body.equals(png)).toBe(true)
    expect(headers).toMatchObject({
      authorization: `Basic ${Buffer.from('api:test-key').toString('base64')}`,
      'content-length': String(png.length),
    })
    expect(headers['user-agent']).toMatch(/^gallery\/2 pixpress-client\/[\d.]+ Node\//)
  })

  it('tells what the upload came to', async () => {
    const upload = await client.fromBuffer(png).upload()
    expect(upload).toMatchObject({
      url: `${service.endpoint}/output/1`,
      input: { size: png.length, type: 'image/png' },
      output: { type: 'image/png', width: 96, height: 64 },
      compressionCount: 1,
    })
  })

  it('sends all commands in one request', async () => {
    const result = await client
      .fromBuffer(transparent)
      .resize({ method: 'fit', width: 48, height: 48 })
      .convert({ type: 'image/jpeg' })
      .transform({ background: 'white' })
      .preserve('copyright', ['creation'])
      .result()
    expect(result).toMatchObject({ width: 48, height: 32, type: 'image/jpeg', extension: 'jpg', compressionCount: 3 })
    expect(JSON.parse(service.requests[1]!.body.toString())).toEqual({
      resize: { method: 'fit', width: 48, height: 48 },
      convert: { type: 'image/jpeg' },
      transform: { background: 'white' },
      preserve: ['copyright', 'creation'],
    })
    expect(service.requests[1]!.headers['content-type']).toBe('application/json')
    expect(service.requests).toHaveLength(2)
  })

  it('is uploaded once for all that branches off it, and does not change itself', async () => {
    const source = client.fromBuffer(png)
    const small = source.resize({ method: 'scale', width: 24 })
    const all = [small, small.convert({ type: 'image/webp' }), source]
    const results = await Promise.all(all.map((each) => each.result()))
    expect(results.map(({ width, type }) => [width, type])).toEqual([
      [24, 'image/png'],
      [24, 'image/webp'],
      [96, 'image/png'],
    ])
    expect(paths().filter((each) => each === 'POST /shrink')).toHaveLength(1)
    expect(client.compressionCount).toBe(4)
  })

  it('sends nothing before a result is asked for, and reads a file only then', async () => {
    const source = client.fromFile(path.join(folder, 'later.png')).resize({ method: 'scale', width: 24 })
    await expect(source.result()).rejects.toMatchObject({ code: 'ENOENT' })
    expect(service.requests).toEqual([])
    await writeFile(path.join(folder, 'later.png'), png)
    expect(await source.result()).toMatchObject({ width: 24 })
  })

  it('can be uploaded again after a failure', async () => {
    service.script.push((response) => refuse(response, 422, 'Odd', 'Not today.'))
    const source = client.fromBuffer(png)
    await expect(source.toBuffer()).rejects.toThrow(ClientError)
    expect((await source.toBuffer()).length).toBeLessThan(png.length)
  })

  it('is fetched by the service', async () => {
    service.script.push(
      async (response, { body }) => {
        expect(JSON.parse(body.toString())).toEqual({ source: { url: 'https://example.com/a.png' } })
        response.writeHead(201, { Location: '/output/1', 'Content-Type': 'application/json' }).end('{}')
      },
      (response) => void response.writeHead(200, { 'Content-Type': 'image/png' }).end(png),
    )
    expect(await client.fromUrl(new URL('https://example.com/a.png')).toBuffer()).toEqual(png)
    expect(service.requests[0]!.headers['content-type']).toBe('application/json')
  })

  it('is stored elsewhere, and then has a location instead of bytes', async () => {
    const stored = client.fromBuffer(png).store({
      service: 's3',
      aws_access_key_id: 'id',
      aws_secret_access_key: 'hush-hush',
      region: 'eu-west-1',
      path: 'bucket/a.png',
    })
    expect(await stored.result()).toEqual({
      width: 96,
      height: 64,
      size: undefined,
      type: undefined,
      extension: undefined,
      location: 'https://storage.example.com/bucket/a.png',
      data: undefined,
      compressionCount: 2,
    })
    await expect(stored.toBuffer()).rejects.toThrow(failure('PixpressClientError', 'and its location'))
    expect(service.requests).toHaveLength(2)
  })
})

describe('toFile', () => {
  it('writes the image and nothing else', async () => {
    const target = path.join(folder, 'out')
    const result = await client.fromBuffer(png).toFile(pathToFileURL(target))
    expect((await readFile(target)).equals(result.data!)).toBe(true)
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('leaves the former file whole when the answer is cut off', async () => {
    const target = path.join(folder, 'kept.png')
    await writeFile(target, 'former')
    const source = connect({ retries: 0 }).fromBuffer(png)
    await source.upload()
    service.script.push((response) => {
      response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 5000 })
      response.write(png.subarray(0, 100), () => response.destroy())
    })
    await expect(source.toFile(target)).rejects.toMatchObject({ name: 'ConnectionError', error: 'Truncated' })
    expect(await readFile(target, 'utf8')).toBe('former')
  })

  it('removes its temporary file when the name is taken by a folder', async () => {
    const target = await mkdtemp(path.join(folder, 'taken-'))
    await writeFile(path.join(target, 'x'), '')
    await expect(client.fromBuffer(png).toFile(target)).rejects.toMatchObject({ syscall: 'rename' })
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('validate', () => {
  it('costs nothing and reads the count', async () => {
    await client.fromBuffer(png).upload()
    const fresh = connect()
    expect(fresh.compressionCount).toBeUndefined()
    expect(await fresh.validate()).toBe(1)
    expect(fresh.compressionCount).toBe(1)
    expect(service.requests.at(-1)!.headers['content-length']).toBe('0')
  })

  it('refuses a wrong key', async () => {
    await expect(connect({ key: 'other' }).validate()).rejects.toThrow(AccountError)
  })

  it('takes a key at its limit for valid, at once', async () => {
    service.script.push((response) => {
      response.setHeader('Retry-After', '30')
      refuse(response, 429, 'TooManyRequests', 'Too many.')
    })
    await client.validate()
    expect(service.requests).toHaveLength(1)
  })

  it('does not take another server for the service', async () => {
    service.script.push((response) => refuse(response, 404, 'NotFound', 'Nothing here.'))
    await expect(client.validate()).rejects.toMatchObject({ name: 'ClientError', status: 404 })
  })
})

describe('counts', () => {
  it('are told after each answer, errors included, and kept apart', async () => {
    const seen: number[] = []
    const other = connect()
    const watched = connect({ onCompressionCount: (count) => void seen.push(count) })
    const source = watched.fromBuffer(png)
    await source.result()
    await source.resize({ method: 'scale', width: 24 }).result()
    await expect(watched.fetchImage('/output/9')).rejects.toMatchObject({ status: 404, error: 'NotFound' })
    expect(seen).toEqual([1, 1, 2, 2])
    expect(watched.compressionCount).toBe(2)
    expect(other.compressionCount).toBeUndefined()
  })
})

describe('counts of requests at the same time', () => {
  it('are those of the latest compression, in whatever order the answers come', async () => {
    service.script.push(counted(7, 300), counted(8, 0))
    await Promise.all([client.shrink(png), client.shrink(transparent)])
    expect(client.compressionCount).toBe(8)
  })

  it('begin anew with the month', async () => {
    service.script.push(counted(7, 0), counted(1, 0))
    await client.shrink(png)
    await client.shrink(png)
    expect(client.compressionCount).toBe(1)
  })
})

describe('onLostAnswer', () => {
  it.each<[string, ScriptedAnswer, number]>([
    ['a cut connection', (response) => void response.destroy(), 1],
    ['a page of a gateway', (response) => void response.writeHead(504).end('<html>'), 1],
    ['an error of the service', (response) => refuse(response, 503, 'ServiceUnavailable', 'Away.'), 0],
    ['a refusal', (response) => refuse(response, 415, 'UnsupportedMediaType', 'No.'), 0],
  ])('is told of each try that may have been counted: %s', async (_, answer, times) => {
    let lost = 0
    const onLostAnswer = (): void => void lost++
    service.script.push(answer)
    await connect({ retries: 0 })
      .shrink(png, { onLostAnswer })
      .catch(() => undefined)
    expect(lost).toBe(times)
  })

  it('is not told where nothing could be sent', async () => {
    const gone = connect({ retries: 0, endpoint: 'http://127.0.0.1:9' })
    let lost = 0
    const upload = gone.shrink(png, { onLostAnswer: () => void lost++ })
    await expect(upload).rejects.toMatchObject({ name: 'ConnectionError' })
    expect(lost).toBe(0)
  })
})
