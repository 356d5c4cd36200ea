import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { photo, refuse, startImageService } from '@pixpress/testkit'
import type { ImageService, ScriptedAnswer } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../src/index.ts'
import type { Client, ClientOptions, Source } from '../src/index.ts'

let service: ImageService
let client: Client
let folder: string
let png: Buffer

const connect = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ key: 'test-key', endpoint: service.endpoint, ...options })

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  png = await photo(96, 64).png()
  await writeFile(path.join(folder, 'photo.png'), png)
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

const busy: ScriptedAnswer = (response) => {
  response.setHeader('Retry-After', '0')
  refuse(response, 503, 'ServiceUnavailable', 'Busy.')
}

async function* halves(): AsyncGenerator<Uint8Array> {
  yield png.subarray(0, 1000)
  yield png.subarray(1000)
}

const inputs: readonly (readonly [string, (from: Client) => Source])[] = [
  ['a Buffer', (from) => from.fromBuffer(png)],
  ['a Uint8Array', (from) => from.fromBuffer(new Uint8Array(png))],
  ['an ArrayBuffer', (from) => from.fromBuffer(new Uint8Array(png).buffer)],
  ['a DataView', (from) => from.fromBuffer(new DataView(png.buffer, png.byteOffset, png.length))],
  ['a Blob', (from) => from.fromBlob(new Blob([new Uint8Array(png)]))],
  ['a File', (from) => from.fromBlob(new File([new Uint8Array(png)], 'photo.png'))],
  ['a web stream', (from) => from.fromStream(new Blob([new Uint8Array(png)]).stream())],
  ['a stream of Node’s', (from) => from.fromStream(createReadStream(path.join(folder, 'photo.png')))],
  ['a stream of a known size', (from) => from.fromStream(Readable.from([png]), { size: png.length })],
  ['an asynchronous generator', (from) => from.fromStream(halves())],
  ['a function that opens a stream', (from) => from.fromStream(() => createReadStream(path.join(folder, 'photo.png')))],
  ['a path', (from) => from.fromFile(path.join(folder, 'photo.png'))],
]

describe('an image', () => {
  it.each(inputs)('goes out whole from %s, and again where that is asked for', async (_, source) => {
    service.script.push(busy)
    const result = await source(client).result()
    expect(result).toMatchObject({ width: 96, height: 64, type: 'image/png', compressionCount: 1 })
    const uploads = service.requests.filter(({ method }) => method === 'POST')
    expect(uploads.map(({ body }) => body.equals(png))).toEqual([true, true])
  })

  it.each([
    ['a size', { size: 1000 }, { 'content-length': '1000' }],
    ['no size', {}, { 'transfer-encoding': 'chunked' }],
  ])('of a stream with %s has a length or comes in chunks', async (_, options, headers) => {
    service.script.push((response) => refuse(response, 400, 'No', 'No.'))
    const source = client.fromStream(Readable.from([png.subarray(0, 400), png.subarray(400, 1000)]), options)
    await expect(source.upload()).rejects.toMatchObject({ status: 400 })
    expect(service.requests[0]!.headers).toMatchObject(headers)
    expect(service.requests[0]!.body).toHaveLength(1000)
  })
})

describe('a stream', () => {
  it('that gives more than is kept is sent once, and the error says so', async () => {
    service.script.push(busy)
    const source = connect({ maxBuffered: 999 }).fromStream(halves())
    await expect(source.upload()).rejects.toMatchObject({
      name: 'ServerError',
      status: 503,
      message: expect.stringContaining("'maxBuffered'"),
    })
    expect(service.requests).toHaveLength(1)
  })

  it('that gives more than is kept arrives all the same', async () => {
    const result = await connect({ maxBuffered: 0 }).fromStream(halves()).result()
    expect(result.width).toBe(96)
  })

  it('passes its own error on, without another try', async () => {
    const source = client.fromStream(
      (async function* (): AsyncGenerator<Uint8Array> {
        yield png.subarray(0, 1000)
        throw new RangeError('no disk')
      })(),
    )
    await expect(source.upload()).rejects.toThrow(new RangeError('no disk'))
    // The service has seen no whole request.
    expect(service.requests).toHaveLength(0)
  })

  it.each([
    [
      'a wrong kind',
      () => client.fromStream('text' as never),
      'Expected a stream of bytes but received a value of type',
    ],
    ['a wrong size', () => client.fromStream(halves(), { size: -1 }), "Expected the number of bytes for 'size'"],
    ['no bytes', () => client.fromBuffer('text' as never), 'Expected bytes'],
    ['no Blob', () => client.fromBlob(png as never), 'Expected a Blob or File but received an object of class Buffer'],
  ])('is refused at once: %s', (_, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })
})

describe('fromOutput', () => {
  it('goes on from an earlier output without another upload', async () => {
    const { url } = await client.fromBuffer(png).upload()
    const later = connect()
    const result = await later.fromOutput(url).resize({ method: 'scale', width: 24 }).result()
    expect(result).toMatchObject({ width: 24, compressionCount: 2 })
    expect((await later.fromOutput(new URL(url).pathname).toBuffer()).length).toBeLessThan(png.length)
    expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET'])
  })

  it('asks for nothing when it is asked for the upload', async () => {
    const url = `${service.endpoint}/output/1`
    expect(await client.fromOutput(url).upload()).toEqual({
      url,
      input: {},
      output: {},
      compressionCount: undefined,
    })
    expect(service.requests).toEqual([])
  })

  it('says that an output is gone', async () => {
    await expect(client.fromOutput('/output/9').toBuffer()).rejects.toMatchObject({ status: 404, error: 'NotFound' })
  })

  it.each([
    'https://evil.example.com/output/1',
    '//evil.example.com/output/1',
    'http://127.0.0.1:9/output/1',
    'http://',
  ])('refuses a URL of another origin: %s', (url) => {
    expect(() => client.fromOutput(url)).toThrow(TypeError)
    expect(service.requests).toEqual([])
  })
})
