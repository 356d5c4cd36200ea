import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { AccountError, ClientError, createClient } from '@pixpress/client'
import type { Client } from '@pixpress/client'
import { createTestAuthority, decode } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeImages } from './support/images.ts'
import type { TestImages } from './support/images.ts'
import { KEY, OTHER_KEY, startTestServer } from './support/server.ts'
import type { TestServer } from './support/server.ts'

let folder: string
let server: TestServer
let images: TestImages
let connect: (key: string) => Client

beforeAll(async () => {
  images = await makeImages()
  const authority = await createTestAuthority()
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-client-'))
  const tls = { 'tls-cert': path.join(folder, 'cert.pem'), 'tls-key': path.join(folder, 'key.pem') }
  await writeFile(tls['tls-cert'], authority.server.cert)
  await writeFile(tls['tls-key'], authority.server.key)
  server = await startTestServer({ ...tls, 'monthly-limit': '7' })
  connect = (key) => createClient({ key, endpoint: server.url, ca: authority.ca, retries: 0, maxWait: 0 })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('the project’s own client, over TLS', () => {
  it('uploads once, makes several images from it, and knows the count', async () => {
    const client = connect(KEY)
    const source = client.fromBuffer(images.jpeg)
    const [plain, small, webp] = await Promise.all([
      source.toBuffer(),
      source.resize({ method: 'scale', width: 60 }).toBuffer(),
      source.convert({ type: 'image/webp' }).toBuffer(),
    ])
    expect(plain.length).toBeLessThan(images.jpeg.length)
    expect((await decode(small)).width).toBe(60)
    expect((await decode(webp)).type).toBe('webp')
    await client.validate()
    expect(client.compressionCount).toBe(3)
  })

  it('sends a stream of unknown length, takes one, and goes on from the output later', async () => {
    const client = connect(OTHER_KEY)
    const source = client.fromStream(Readable.from([images.jpeg.subarray(0, 100), images.jpeg.subarray(100)]))
    const pieces: Uint8Array[] = []
    for await (const piece of source.convert({ type: 'image/webp' }).stream()) pieces.push(piece)
    expect((await decode(Buffer.concat(pieces))).type).toBe('webp')
    const { url } = await source.upload()
    const small = connect(OTHER_KEY).fromOutput(url).resize({ method: 'scale', width: 60 })
    expect((await decode(await small.toBuffer())).width).toBe(60)
    await client.validate()
    expect(client.compressionCount).toBe(3)
    // Outputs are their account's own.
    await expect(connect(KEY).fromOutput(url).toBuffer()).rejects.toMatchObject({ status: 404 })
  })

  it('names what is wrong: the key, the image, the limit', async () => {
    await expect(connect('wrong').validate()).rejects.toThrow(AccountError)
    await expect(connect(KEY).fromBuffer(Buffer.from('no image')).toBuffer()).rejects.toThrow(ClientError)
    const uploads = Array.from({ length: 6 }, () => connect(KEY).fromBuffer(images.png).toBuffer())
    const refused = (await Promise.allSettled(uploads)).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(2)
    for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toBeInstanceOf(AccountError)
  })
})
