import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import vm from 'node:vm'
import { photo, refuse, startImageService, naming, failure } from '@pixpress/testkit'
import type { ImageService, ScriptedAnswer } from '@pixpress/testkit'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../src/web.ts'
import type { Client, ClientOptions, Progress } from '../src/web.ts'

let service: ImageService
let client: Client
let png: Uint8Array<ArrayBuffer>

const connect = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ key: 'test-key', endpoint: service.endpoint, ...options })

beforeAll(async () => {
  png = new Uint8Array(await photo(96, 64).png())
})
beforeEach(async () => {
  service = await startImageService()
  client = connect()
})
afterEach(() => service.close())

async function* halves(): AsyncGenerator<Uint8Array> {
  yield png.subarray(0, 1000)
  yield png.subarray(1000)
}

const stopped = (): ReadableStream<Uint8Array> => new ReadableStream({ pull: () => new Promise(() => undefined) })

describe('the client on fetch', () => {
  it.each<[string, () => ReturnType<Client['fromBuffer']>]>([
    ['bytes', () => client.fromBuffer(png.buffer)],
    ['a Blob', () => client.fromBlob(new Blob([png]))],
    ['a stream', () => client.fromStream(halves())],
  ])('uploads %s, and makes images of it', async (_, source) => {
    const small = source().resize({ method: 'scale', width: 24 })
    const result = await small.result()
    expect(result).toMatchObject({ width: 24, type: 'image/png', extension: 'png', compressionCount: 2 })
    expect(result.data!.constructor).toBe(Uint8Array)
    const blob = await small.blob()
    expect([blob.type, blob.size]).toEqual(['image/png', result.size])
    expect((await new Response(small.stream()).bytes?.()) ?? (await small.bytes())).toEqual(await small.bytes())
    expect(service.requests[0]!.body.equals(png)).toBe(true)
    expect(service.requests.filter(({ path: address }) => address === '/shrink')).toHaveLength(1)
  })

  it('sends no name of its own, and the key', async () => {
    await client.fromBuffer(png).upload()
    const { headers } = service.requests[0]!
    expect(headers['user-agent']).not.toContain('pixpress')
    expect(headers.authorization).toBe(`Basic ${btoa('api:test-key')}`)
  })

  it('tells of progress', async () => {
    const seen: Progress[] = []
    const { size } = await client.fromBlob(new Blob([png])).result({ onProgress: (each) => void seen.push(each) })
    expect(seen[0]).toEqual({ phase: 'upload', bytes: png.length, total: png.length })
    expect(seen.at(-1)).toEqual({ phase: 'download', bytes: size, total: size })
  })

  it.each<[string, ScriptedAnswer]>([
    [
      'a busy service',
      (response) => {
        response.setHeader('Retry-After', '0')
        refuse(response, 503, 'ServiceUnavailable', 'Busy.')
      },
    ],
    ['a broken connection', (response) => void response.destroy()],
    [
      'an answer cut off',
      (response) => {
        response.writeHead(201, { 'Content-Length': 100, Location: '/output/1' })
        response.write('{', () => response.destroy())
      },
    ],
  ])('tries again after %s, a stream included', async (_, answer) => {
    service.script.push(answer)
    await client.fromStream(halves()).upload()
    expect(service.requests.map(({ body }) => body.equals(png))).toEqual([true, true])
  })

  it('refuses a stream that is larger than what it may keep', async () => {
    await expect(connect({ maxBuffered: 1500 }).fromStream(halves()).upload()).rejects.toMatchObject({
      error: 'StreamTooLarge',
      message: naming('1500 bytes', "'maxBuffered'"),
    })
    expect(service.requests).toEqual([])
  })

  it('follows no redirect', async () => {
    service.script.push((response) => void response.writeHead(302, { Location: 'https://evil.example.com' }).end())
    await expect(client.fromBuffer(png).upload()).rejects.toMatchObject({ name: 'ConnectionError', error: 'Redirect' })
    expect(service.requests).toHaveLength(1)
  })

  it('bounds an answer in time and size', async () => {
    service.script.push(() => undefined)
    await expect(connect({ timeout: 300, retries: 0 }).fromBuffer(png).upload()).rejects.toMatchObject({
      error: 'Timeout',
      message: expect.stringContaining('300 ms'),
    })
    const { url } = await client.fromBuffer(png).upload()
    await expect(connect({ maxResponseSize: 900 }).fromOutput(url).bytes()).rejects.toMatchObject({
      error: 'AnswerTooLarge',
    })
  })

  it('ends with the signal, and its reason', async () => {
    const controller = new AbortController()
    service.script.push(() => controller.abort(new Error('enough')))
    await expect(client.shrink(png, { signal: controller.signal })).rejects.toThrow('enough')
    await expect(client.shrink(png, { signal: controller.signal })).rejects.toThrow('enough')
    expect(service.requests).toHaveLength(1)
  })

  it('does not wait for a stream that has stopped', async () => {
    const ending = connect({ signal: AbortSignal.timeout(50) }).fromStream(stopped())
    await expect(ending.upload()).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(connect({ timeout: 50, retries: 0 }).fromStream(stopped()).upload()).rejects.toMatchObject({
      error: 'Timeout',
    })
    expect(service.requests).toEqual([])
  })

  it('says why it cannot connect', async () => {
    const gone = connect({ endpoint: 'http://127.0.0.1:9', retries: 0 })
    await expect(gone.validate()).rejects.toMatchObject({ name: 'ConnectionError', error: 'ConnectionError' })
  })

  it.each(['ca', 'proxy', 'connectTimeout', 'appIdentifier'])("refuses '%s', which is Node's", (name) => {
    expect(() => connect({ [name]: 'x' })).toThrow(failure('TypeError', `'${name}'`))
  })

  it('knows no files', async () => {
    await expect(client.fromFile('a.png').bytes()).rejects.toThrow(failure('PixpressClientError', 'no files here'))
    await expect(client.fromBuffer(png).toFile('a.png')).rejects.toThrow(
      failure('PixpressClientError', 'no files here'),
    )
  })
})

describe('the entry for browsers and workers', () => {
  let folder: string
  let code: string

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-web-'))
    const bundle = await rolldown({
      input: path.join(import.meta.dirname, '../src/web.ts'),
      platform: 'browser',
      external: [],
      // A module of Node's would be left as an import.
      logLevel: 'warn',
    })
    const { output } = await bundle.write({ dir: folder, format: 'iife', name: 'pixpress', exports: 'named' })
    await bundle.close()
    expect(output).toHaveLength(1)
    code = output[0].code
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('names nothing of Node', () => {
    expect(code).not.toMatch(/\bnode[:_]|\brequire\(|\bBuffer\.|\bprocess\.|\bimport\(/)
  })

  it('works where there are only the globals of a worker', async () => {
    const { AbortController, AbortSignal, Blob, ReadableStream, Response, Request, TextDecoder, TextEncoder, URL } =
      globalThis
    const { atob, btoa, clearTimeout, fetch, performance, setTimeout, Uint8Array, ArrayBuffer } = globalThis
    const worker = {
      AbortController,
      AbortSignal,
      Blob,
      ReadableStream,
      Response,
      Request,
      TextDecoder,
      TextEncoder,
      URL,
    }
    const context = vm.createContext({
      ...worker,
      atob,
      btoa,
      clearTimeout,
      fetch,
      performance,
      setTimeout,
      Uint8Array,
      ArrayBuffer,
    })
    vm.runInContext(code, context)
    const { endpoint } = service
    Object.assign(context, { endpoint, png })
    const width: unknown = await vm.runInContext(
      `(async () => {
        const client = pixpress.createClient({ key: 'test-key', endpoint })
        const source = client.fromBuffer(png).resize({ method: 'scale', width: 24 })
        await new Response(source.stream()).arrayBuffer()
        return (await source.result()).width
      })()`,
      context,
    )
    expect(width).toBe(24)
    expect(vm.runInContext('typeof process + typeof Buffer', context)).toBe('undefinedundefined')
  })
})
