import http from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { failure as refusal } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createS3Bytes } from '../../../src/storage/shared/s3-bytes.ts'
import type { S3Timeouts } from '../../../src/storage/shared/s3-requests.ts'
import type { S3Bytes } from '../../../src/storage/shared/s3-bytes.ts'
import { BackendUnavailableError } from '../../../src/index.ts'

type Answer = (response: ServerResponse) => void

const refuse =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/xml', ...headers })
      .end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message></Message></Error>`)
const hangUp: Answer = (response) => response.destroy()
const breakOff: Answer = (response) => {
  response.writeHead(200, { 'Content-Length': '100000' }).write(Buffer.alloc(70_000))
  setTimeout(() => response.destroy(), 20)
}

const ignore = (): void => undefined

/** These are answers that a working storage cannot be made to give; everything else is tested with a real one. */
describe('createS3Bytes, when the storage is unwell', { retry: 4, timeout: 30_000 }, () => {
  const script: Answer[] = []
  const seen: { method: string; path: string; headers: http.IncomingHttpHeaders; body: Buffer }[] = []
  const id = '0123456789abcdef'.repeat(2)
  let server: http.Server
  let bytes: S3Bytes

  // A server for each test: connections of the one before are not used again.
  beforeEach(async () => {
    script.length = 0
    seen.length = 0
    server = http.createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
      seen.push({
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks),
      })
      const answer = script.shift()
      if (answer === undefined) response.writeHead(200).end('stored')
      else answer(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    bytes = openBytes({})
  })
  afterEach(() => {
    // It is not waited for: a connection that fetch has opened and not used yet would keep it for a minute.
    server.close()
    server.closeAllConnections()
  })

  function openBytes(timeouts: Partial<S3Timeouts>): S3Bytes {
    const bucket = {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'eu-west-1',
      bucket: 'a-bucket',
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'a-secret-key',
    }
    return createS3Bytes(bucket, { answer: 20_000, idle: 200, silence: 0, ...timeouts })
  }

  const put = (): Promise<void> => bytes.put(id, 'output', Buffer.from('an image'), 'image/webp')

  it('signs the digest of the body, and sends it with its type to bucket and key in path style', async () => {
    await put()
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      method: 'PUT',
      path: `/a-bucket/outputs/${id}/output`,
      headers: {
        'content-type': 'image/webp',
        'content-length': '8',
        'x-amz-content-sha256': 'a5df3fde7b200c3fa2791144c7e05c5c2bced4c6ad863d3a4cf76c972c1712f9',
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/s3\/aws4_request, SignedHeaders=[\w;-]*x-amz-content-sha256/,
        ),
      },
    })
    expect(seen[0]!.body.toString()).toBe('an image')
  })

  it.each([
    ['500', refuse(500, 'InternalError')],
    ['503 SlowDown', refuse(503, 'SlowDown')],
    ['429', refuse(429, 'TooManyRequests')],
    ['a connection that breaks', hangUp],
  ])('tries again after %s, with the same bytes', async (_, failure) => {
    script.push(failure, failure)
    await put()
    expect(seen.map(({ body }) => body.toString())).toEqual(['an image', 'an image', 'an image'])
  })

  it('gives up after three attempts', async () => {
    script.push(refuse(503, 'SlowDown'), hangUp, refuse(500, 'InternalError'))
    await expect(put()).rejects.toThrow('S3 answered PUT with 500 InternalError')
    expect(seen).toHaveLength(3)
  })

  it.each([
    ['403', refuse(403, 'AccessDenied')],
    ['a redirect, which would carry the signature elsewhere', refuse(307, 'TemporaryRedirect', { Location: '/other' })],
    ['a missing bucket, which is no missing image', refuse(404, 'NoSuchBucket')],
    ['404 from what is no storage', (response: ServerResponse) => response.writeHead(404).end('<html>')],
  ])('does not try again after %s', async (_, failure) => {
    script.push(failure)
    await expect(bytes.get(id, 'output')).rejects.toThrow(BackendUnavailableError)
    expect(seen).toHaveLength(1)
  })

  it('never takes half an object for a whole one', async () => {
    script.push(breakOff)
    await expect(bytes.get(id, 'output')).rejects.toThrow(refusal('BackendUnavailableError', 'of an object'))
    script.push(breakOff)
    const stream = (await bytes.stream(id, 'output'))!
    await expect(new Response(stream).arrayBuffer()).rejects.toThrow()
  })

  it('does not wait for an answer that does not come, not even a second time', async () => {
    script.push(() => undefined)
    const impatient = openBytes({ answer: 400 })
    const began = performance.now()
    await expect(impatient.put(id, 'output', Buffer.from('an image'), 'image/webp')).rejects.toThrow(
      refusal('BackendUnavailableError', 'PUT'),
    )
    expect(performance.now() - began).toBeGreaterThan(380)
    expect(seen).toHaveLength(1)
  })

  it('asks a bucket that has answered nobody not again for a while', async () => {
    const silent = openBytes({ answer: 400, silence: 60_000 })
    script.push(() => undefined)
    await expect(silent.delete(id)).rejects.toThrow(refusal('BackendUnavailableError', 'DELETE'))
    await expect(silent.put(id, 'output', Buffer.from('an image'), 'image/webp')).rejects.toThrow(
      refusal('BackendUnavailableError', 'a moment ago'),
    )
    expect(seen).toHaveLength(1)
  })

  it('goes on asking a bucket that answers others', async () => {
    const slow = openBytes({ answer: 5000, silence: 60_000 })
    let isSlow: () => void = ignore
    const asked = new Promise<void>((resolve) => (isSlow = resolve))
    script.push(() => isSlow())
    const late = slow.delete(id).catch((error: unknown) => String(error))
    // A request that ends before it is asked shows why, in place of a test that waits for ever.
    expect(await Promise.race([asked, late])).toBeUndefined()
    await slow.put(id, 'output', Buffer.from('an image'), 'image/webp')
    expect(await late).toContain('took too long')
    await slow.put(id, 'output', Buffer.from('an image'), 'image/webp')
    expect(seen).toHaveLength(3)
  })

  it('does not wait for the rest of an object that does not come, but for a slow client', async () => {
    script.push((response) => response.writeHead(200, { 'Content-Length': '100000' }).write(Buffer.alloc(70_000)))
    await expect(bytes.get(id, 'output')).rejects.toThrow(BackendUnavailableError)
    script.push((response) => response.end(Buffer.alloc(3_000_000)))
    const reader = (await bytes.stream(id, 'output'))!.getReader()
    let size = (await reader.read()).value!.length
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) size += piece.value.length
    expect(size).toBe(3_000_000)
  })
})
