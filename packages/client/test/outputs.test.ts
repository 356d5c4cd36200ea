import { photo, refuse, startImageService, failure } from '@pixpress/testkit'
import type { ImageService, ScriptedAnswer } from '@pixpress/testkit'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../src/index.ts'
import type { Client, ClientOptions, Progress } from '../src/index.ts'

let service: ImageService
let client: Client
let png: Buffer

const connect = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ key: 'test-key', endpoint: service.endpoint, ...options })

beforeAll(async () => {
  png = await photo(400, 300).png()
})
beforeEach(async () => {
  service = await startImageService()
  client = connect()
})
afterEach(async () => {
  client.close()
  await service.close()
})

async function read(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Sends the head of an image and a part of it, and then nothing. */
const unfinished =
  (then: (end: () => void) => void = () => undefined): ScriptedAnswer =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': png.length })
    response.write(png.subarray(0, 1000))
    then(() => response.destroy())
  }

describe('one image', () => {
  it('is the same in every form', async () => {
    const source = client.fromBuffer(png)
    const data = await source.toBuffer()
    expect(Buffer.isBuffer(data)).toBe(true)
    expect(Buffer.from(await source.bytes()).equals(data)).toBe(true)
    const blob = await source.blob()
    expect(blob.type).toBe('image/png')
    expect(Buffer.from(await blob.arrayBuffer()).equals(data)).toBe(true)
    expect((await read(source.stream())).equals(data)).toBe(true)
    const { body, ...head } = await source.open()
    expect(head).toMatchObject({ width: 400, height: 300, size: data.length, type: 'image/png', extension: 'png' })
    expect((await read(body)).equals(data)).toBe(true)
  })

  it.each(['toBuffer', 'bytes', 'blob', 'open'] as const)('that was stored has no %s', async (name) => {
    const stored = client.fromBuffer(png).store({ service: 'gcs', gcp_access_token: 'hush', path: 'b/a.png' })
    await expect(stored[name]()).rejects.toThrow(failure('PixpressClientError', 'and its location'))
    expect(service.requests).toEqual([])
  })
})

describe('a stream', () => {
  it('asks for nothing before it is read, nor when it is left', async () => {
    const stream = client.fromBuffer(png).stream()
    await stream.cancel()
    expect(service.requests).toEqual([])
  })

  it('gives what there is before the rest has come', async () => {
    const source = client.fromBuffer(png)
    await source.upload()
    let finish!: () => void
    service.script.push((response) => {
      response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': png.length })
      response.write(png.subarray(0, 1000))
      finish = () => response.end(png.subarray(1000))
    })
    const reader = (await source.open()).body.getReader()
    const first = await reader.read()
    expect(png.subarray(0, 1000).equals(first.value!)).toBe(true)
    finish()
    let size = first.value!.length
    for (let next = await reader.read(); !next.done; next = await reader.read()) size += next.value.length
    expect(size).toBe(png.length)
  })

  it('is asked for again until it begins to come', async () => {
    const source = client.fromBuffer(png)
    await source.upload()
    service.script.push((response) => refuse(response, 500, 'InternalServerError', 'Oops.'))
    expect((await read(source.stream())).length).toBeGreaterThan(0)
    expect(service.requests).toHaveLength(3)
  })

  it('that breaks off throws, and is not asked for again', async () => {
    const source = client.fromBuffer(png)
    await source.upload()
    service.script.push(unfinished((end) => setTimeout(end, 20)))
    const { body } = await source.open()
    await expect(read(body)).rejects.toMatchObject({ name: 'ConnectionError', error: 'Truncated' })
    expect(service.requests).toHaveLength(2)
  })

  it('that goes silent throws after the idle time', async () => {
    const { url } = await client.fromBuffer(png).upload()
    service.script.push(unfinished())
    const reader = (await connect({ idleTimeout: 2000 }).fromOutput(url).open()).body.getReader()
    expect((await reader.read()).value).toHaveLength(1000)
    await expect(reader.read()).rejects.toMatchObject({ name: 'ConnectionError', error: 'Timeout' })
  })

  it('that is cancelled closes its connection', async () => {
    const source = client.fromBuffer(png)
    await source.upload()
    let closed = false
    service.script.push((response, seen) => {
      response.on('close', () => (closed = true))
      return unfinished()(response, seen)
    })
    const { body } = await source.open()
    await body.cancel()
    await expect.poll(() => closed).toBe(true)
  })

  it('ends with the signal, and its reason', async () => {
    const source = client.fromBuffer(png)
    await source.upload()
    service.script.push(unfinished())
    const controller = new AbortController()
    const reader = (await source.open({ signal: controller.signal })).body.getReader()
    await reader.read()
    controller.abort(new Error('enough'))
    await expect(reader.read()).rejects.toThrow('enough')
  })

  it('is refused where it is larger than the limit', async () => {
    const source = connect({ maxResponseSize: 900 }).fromBuffer(png)
    await source.upload()
    const { body } = await source.open()
    await expect(read(body)).rejects.toMatchObject({ error: 'AnswerTooLarge' })
  })

  it('is no image where the service sends none', async () => {
    const source = client.fromBuffer(png)
    await source.upload()
    service.script.push((response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'))
    await expect(source.open()).rejects.toMatchObject({ name: 'ConnectionError', error: 'BadAnswer' })
  })
})

/** Tells whether each is further than the one before. */
const rises = (seen: readonly Progress[]): boolean =>
  seen.every(({ bytes }, index) => index === 0 || bytes > seen[index - 1]!.bytes)

/** A listener that fails. */
function isGone(): never {
  throw new Error('the page is gone')
}

describe('progress', () => {
  it('is told of the upload and of the download, with their sizes', async () => {
    const seen: Progress[] = []
    const { size } = await client.fromBuffer(png).result({ onProgress: (progress) => void seen.push(progress) })
    const [up, down] = (['upload', 'download'] as const).map((phase) => seen.filter((each) => each.phase === phase))
    expect(up!.length).toBe(Math.ceil(png.length / 65_536))
    expect(up!.at(-1)).toEqual({ phase: 'upload', bytes: png.length, total: png.length })
    expect(down!.at(-1)).toEqual({ phase: 'download', bytes: size, total: size })
    expect([rises(up!), rises(down!)]).toEqual([true, true])
  })

  it('of one upload is told to all who wait for it', async () => {
    const source = client.fromBuffer(png)
    const counts = [0, 0]
    const listen = (index: number) => ({
      onProgress: ({ phase }: Progress) => void (phase === 'upload' && counts[index]!++),
    })
    await Promise.all([source.upload(listen(0)), source.toBuffer(listen(1))])
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts[1]).toBe(counts[0])
  })

  it('begins anew with another try', async () => {
    service.script.push((response) => void response.destroy())
    const seen: number[] = []
    await client.fromBuffer(png).upload({ onProgress: ({ bytes }) => void seen.push(bytes) })
    expect(seen.filter((bytes) => bytes === png.length)).toHaveLength(2)
  })

  it('knows no total of a stream without a size', async () => {
    const seen: Progress[] = []
    const source = client.fromStream(new Blob([new Uint8Array(png)]).stream())
    await source.upload({ onProgress: (progress) => void seen.push(progress) })
    expect(seen.at(-1)).toEqual({ phase: 'upload', bytes: png.length, total: undefined })
  })

  it('is not told of commands, nor of what describes an upload', async () => {
    const { url } = await client.fromBuffer(png).upload()
    const phases = new Set<string>()
    const source = client.fromOutput(url).resize({ method: 'scale', width: 40 })
    await source.result({ onProgress: ({ phase }) => void phases.add(phase) })
    expect([...phases]).toEqual(['download'])
  })

  it('ends the request with what the listener throws', async () => {
    await expect(client.fromBuffer(png).upload({ onProgress: isGone })).rejects.toThrow(
      failure('Error', 'page is gone'),
    )
  })
})
