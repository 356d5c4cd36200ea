import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import * as core from '@pixpress/core'
import { createTestAuthority, decode } from '@pixpress/testkit'
import type { TestAuthority } from '@pixpress/testkit'
import tinify from 'tinify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBucketServer } from './support/bucket-server.ts'
import type { BucketServer } from './support/bucket-server.ts'
import { serveFiles } from './support/file-server.ts'
import type { FileServer } from './support/file-server.ts'
import { makeImages } from './support/images.ts'
import type { TestImages } from './support/images.ts'
import { KEY, startTestServer } from './support/server.ts'
import type { TestServer } from './support/server.ts'

/** Where the hosted service's own client finds its server, and whom it trusts: all that is changed about it. */
const Client = tinify.Client as unknown as { API_ENDPOINT: string; CA_BUNDLE: string | string[] }

let authority: TestAuthority
let folder: string
let files: FileServer
let buckets: BucketServer
let server: TestServer
let images: TestImages

beforeAll(async () => {
  images = await makeImages()
  authority = await createTestAuthority()
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-client-'))
  await writeFile(path.join(folder, 'cert.pem'), authority.server.cert)
  await writeFile(path.join(folder, 'key.pem'), authority.server.key)
  await writeFile(path.join(folder, 'photo.jpg'), images.jpeg)
  files = await serveFiles({ '/photo.jpg': images.jpeg })
  buckets = await startBucketServer()
  server = await startTestServer({
    'store-s3-endpoint': buckets.url,
    'tls-cert': path.join(folder, 'cert.pem'),
    'tls-key': path.join(folder, 'key.pem'),
    'allow-source': `127.0.0.1:${files.port}`,
  })
  Client.API_ENDPOINT = server.url
  Client.CA_BUNDLE = authority.ca
})
afterAll(async () => {
  await server.stop()
  await files.close()
  await buckets.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  tinify.key = KEY
})

const count = (): number => tinify.compressionCount ?? Number.NaN

describe('the official client, over TLS', () => {
  it('validates a key, and refuses a wrong one', async () => {
    await tinify.validate()
    expect(count()).toBe(0)
    tinify.key = 'wrong'
    await expect(tinify.validate()).rejects.toThrow(tinify.AccountError)
    await expect(tinify.fromBuffer(images.png).toBuffer()).rejects.toThrow(
      /Credentials are invalid.*HTTP 401\/Unauthorized/,
    )
  })

  it('compresses from a file to a file', async () => {
    await tinify.fromFile(path.join(folder, 'photo.jpg')).toFile(path.join(folder, 'small.jpg'))
    const { width, height, type } = await decode(await readFile(path.join(folder, 'small.jpg')))
    expect([width, height, type]).toEqual([120, 80, 'jpeg'])
  })

  it('compresses from a buffer, and says size, type and dimensions', async () => {
    const before = count()
    const result = tinify.fromBuffer(images.jpeg).result()
    const data = await result.toBuffer()
    expect(data.length).toBeLessThan(images.jpeg.length)
    expect(await result.size()).toBe(data.length)
    expect([await result.width(), await result.height()]).toEqual([120, 80])
    expect([await result.mediaType(), await result.extension()]).toEqual(['image/jpeg', 'jpeg'])
    expect(count()).toBe(before + 1)
  })

  it('compresses from a URL', async () => {
    const result = tinify.fromUrl(`${files.url}/photo.jpg`).result()
    expect(await result.width()).toBe(120)
    await expect(tinify.fromUrl(`${files.url}/missing.jpg`).toBuffer()).rejects.toThrow(/HTTP 400\/SourceNotFound/)
  })

  it.each([
    [{ method: 'scale', width: 60 }, [60, 40]],
    [{ method: 'scale', height: 20 }, [30, 20]],
    [{ method: 'fit', width: 60, height: 60 }, [60, 40]],
    [{ method: 'cover', width: 40, height: 40 }, [40, 40]],
    [{ method: 'thumb', width: 30, height: 30 }, [30, 30]],
  ])('resizes: %j', async (resize, size) => {
    const result = tinify.fromBuffer(images.jpeg).resize(resize).result()
    const { width, height } = await decode(await result.toBuffer())
    expect([width, height]).toEqual(size)
    expect([await result.width(), await result.height()]).toEqual(size)
  })

  it('converts, with a background where transparency goes', async () => {
    const webp = tinify.fromBuffer(images.jpeg).convert({ type: 'image/webp' }).result()
    expect([await webp.extension(), (await decode(await webp.toBuffer())).type]).toEqual(['webp', 'webp'])
    const smallest = tinify
      .fromBuffer(images.jpeg)
      .convert({ type: ['image/webp', 'image/png'] })
      .result()
    expect(await smallest.mediaType()).toMatch(/^image\/(webp|png|jpeg)$/)
    const any = tinify
      .fromBuffer(images.jpeg)
      .convert({ type: '*/*' as 'image/webp' })
      .result()
    expect(await any.mediaType()).toMatch(/^image\/(avif|webp|png|jpeg)$/)
    const filled = tinify
      .fromBuffer(images.transparent)
      .convert({ type: 'image/jpeg' })
      .transform({ background: '#FF8800' })
    expect((await decode(await filled.toBuffer())).type).toBe('jpeg')
    await expect(tinify.fromBuffer(images.transparent).convert({ type: 'image/jpeg' }).toBuffer()).rejects.toThrow(
      /HTTP 400\/BackgroundRequired/,
    )
  })

  it('preserves metadata', async () => {
    const source = tinify.fromFile(path.join(import.meta.dirname, 'fixtures/metadata.jpg'))
    const kept = Buffer.from(await source.preserve('copyright', 'creation', 'location').toBuffer())
    expect(kept.includes('(c) 2026 Ada Example')).toBe(true)
    expect(kept.includes('2021:07:04 18:30:15')).toBe(true)
  })

  it('combines commands, each counted', async () => {
    await tinify.fromBuffer(images.jpeg).result().size()
    const before = count()
    const result = tinify
      .fromBuffer(images.jpeg)
      .resize({ method: 'fit', width: 30, height: 30 })
      .convert({ type: 'image/png' })
      .preserve('copyright')
      .result()
    expect([await result.width(), await result.mediaType()]).toEqual([30, 'image/png'])
    expect(count()).toBe(before + 3)
  })

  // Runs as soon as the engine can store.
  it.skipIf(!('store' in core))('stores, and says where and what', async () => {
    buckets.reset()
    const source = tinify.fromBuffer(images.jpeg).resize({ method: 'scale', width: 60 })
    const stored = source.store({
      service: 's3',
      aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE',
      aws_secret_access_key: 'secret',
      region: 'us-west-1',
      path: 'my-bucket/images/photo.jpg',
      headers: { 'Cache-Control': 'public' },
    })
    expect(await stored.location()).toBe(`${buckets.url}/my-bucket/images/photo.jpg`)
    expect([await stored.width(), await stored.height()]).toEqual([60, 40])
    expect((await decode(buckets.requests[0]!.body)).width).toBe(60)
  })

  it('takes what is wrong with an image for the client’s own error', async () => {
    await expect(tinify.fromBuffer(Buffer.from('no image')).toBuffer()).rejects.toThrow(tinify.ClientError)
    const cut = tinify.fromBuffer(images.jpeg.subarray(0, 50)).toBuffer()
    await expect(cut).rejects.toThrow(/HTTP 400\/DecodeError/)
  })

  it('survives its own miscounted lengths: non-ASCII commands are refused, and the next request is served', async () => {
    const source = tinify.fromBuffer(images.png)
    await expect(source.resize({ method: 'é' } as never).toBuffer()).rejects.toThrow(/HTTP 400\/BadRequest/)
    expect(await source.result().width()).toBe(120)
  })
})
