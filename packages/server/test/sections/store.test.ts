import * as core from '@pixpress/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBucketServer } from '../support/bucket-server.ts'
import type { BucketServer } from '../support/bucket-server.ts'
import type { Answer } from '../support/http.ts'
import { makeImages } from '../support/images.ts'
import { startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let buckets: BucketServer
let server: TestServer
let output: string
let compressed: Buffer

beforeAll(async () => {
  const images = await makeImages()
  buckets = await startBucketServer()
  server = await startTestServer({ 'store-s3-endpoint': buckets.url, 'store-gcs-endpoint': buckets.url })
  const upload = await server.send('POST', '/shrink', { body: images.jpeg })
  output = new URL(upload.headers.location!).pathname
  compressed = (await server.send('GET', output)).body
})
afterAll(async () => {
  await server.stop()
  await buckets.close()
})
beforeEach(() => buckets.reset())

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const S3 = {
  service: 's3',
  aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  aws_secret_access_key: SECRET,
  region: 'us-west-1',
  path: 'my-bucket/images/photo.jpg',
}
const GCS = { service: 'gcs', gcp_access_token: 'ya29.token', path: 'my-bucket/images/photo.jpg' }

const ask = (store: unknown, more: object = {}): Promise<Answer> =>
  server.send('POST', output, { json: { ...more, store } })
const count = async (): Promise<number> => Number((await server.send('HEAD', output)).headers['compression-count'])

/** Expects a refusal for one service at a time: `undefined` leaves a member out. */
async function expectRefused(store: unknown, message: RegExp): Promise<void> {
  const answer = await ask(store)
  expect([answer.status, answer.json().error], JSON.stringify(store)).toEqual([400, 'BadRequest'])
  expect(answer.json().message).toMatch(message)
  expect(answer.body.toString()).not.toContain(SECRET)
  expect(buckets.requests).toEqual([])
}

describe('store, the command', () => {
  it('§4.7 service: must be s3 or gcs', async () => {
    for (const store of [
      { ...S3, service: 'ftp' },
      { ...S3, service: undefined },
      { ...S3, service: 5 },
      {},
      's3',
      [],
    ]) {
      await expectRefused(store, /'store/)
    }
  })

  it('§4.7 aws_access_key_id, aws_secret_access_key, region, path: required texts', async () => {
    for (const key of ['aws_access_key_id', 'aws_secret_access_key', 'region', 'path']) {
      await expectRefused({ ...S3, [key]: undefined }, new RegExp(`'store\\.${key}' is missing`))
      await expectRefused({ ...S3, [key]: '' }, new RegExp(`'store\\.${key}' must be a text`))
      await expectRefused({ ...S3, [key]: 5 }, new RegExp(`'store\\.${key}' must be a text`))
    }
  })

  it('§4.7 headers: Cache-Control alone', async () => {
    await expectRefused(
      { ...S3, headers: { 'Content-Type': 'text/html' } },
      /Unknown option 'store\.headers\.Content-Type'/,
    )
    await expectRefused({ ...S3, headers: { 'Cache-Control': 5 } }, /'store\.headers\.Cache-Control' must be a text/)
    await expectRefused({ ...S3, headers: 'public' }, /'store\.headers' must be a JSON object/)
  })

  it('§4.8 gcp_access_token, path: required texts', async () => {
    for (const key of ['gcp_access_token', 'path']) {
      await expectRefused({ ...GCS, [key]: undefined }, new RegExp(`'store\\.${key}' is missing`))
    }
    await expectRefused({ ...GCS, acl: 'public-read' }, /Unknown option 'store\.acl'/)
  })

  it('other members are unknown: a client chooses no endpoint', async () => {
    await expectRefused({ ...S3, endpoint: 'http://169.254.169.254' }, /Unknown option 'store\.endpoint'/)
    await expectRefused({ ...S3, regoin: 'x' }, /Unknown option 'store\.regoin'\. Did you mean 'region'\?/)
  })
})

// Runs as soon as the engine can store; the sections' list keeps them from being forgotten.
describe.skipIf(!('store' in core))('store, the upload', () => {
  it('§4.7 rule 2 and response: 200, {}, Image-Width, Image-Height, Location; counts one', async () => {
    const before = await count()
    const answer = await ask(S3)
    expect([answer.status, answer.body.toString()]).toEqual([200, '{}'])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'image-width': '120',
      'image-height': '80',
      location: `${buckets.url}/my-bucket/images/photo.jpg`,
      'compression-count': String(before + 1),
    })
    expect(buckets.requests).toHaveLength(1)
    const [stored] = buckets.requests
    expect(stored).toMatchObject({ method: 'PUT', path: '/my-bucket/images/photo.jpg' })
    expect(stored!.headers['content-type']).toBe('image/jpeg')
    expect(stored!.headers.authorization).toContain(`Credential=${S3.aws_access_key_id}/`)
    expect(stored!.headers.authorization).toContain('/us-west-1/s3/')
    expect(stored!.body.equals(compressed)).toBe(true)
  })

  it('§4.7 acl and every other member take no line breaks and other characters that no header can have', async () => {
    for (const wrong of ['public-read\n', 'a\r\nX-Amz-Acl: public-read', 'a\u0000', '\u20ac']) {
      for (const name of ['acl', 'aws_access_key_id', 'aws_secret_access_key', 'region', 'path']) {
        await expectRefused({ ...S3, [name]: wrong }, new RegExp(`'store\\.${name}'`))
      }
      for (const name of ['gcp_access_token', 'path']) {
        await expectRefused({ ...GCS, [name]: wrong }, new RegExp(`'store\\.${name}'`))
      }
      await expectRefused({ ...S3, headers: { 'Cache-Control': wrong } }, /'store\.headers\.Cache-Control'/)
    }
  })

  it('§4.7 acl: default public-read; no-acl sends none; others follow', async () => {
    for (const [acl, sent] of [
      [undefined, 'public-read'],
      ['private', 'private'],
      ['no-acl', undefined],
    ]) {
      buckets.reset()
      expect((await ask({ ...S3, acl })).status).toBe(200)
      expect(buckets.requests[0]!.headers['x-amz-acl']).toBe(sent)
    }
  })

  it('§4.7 headers: Cache-Control is sent along', async () => {
    await ask({ ...S3, headers: { 'Cache-Control': 'max-age=31536000, public' } })
    expect(buckets.requests[0]!.headers['cache-control']).toBe('max-age=31536000, public')
  })

  it('§4.8 rule 1 and response: 200, {}, Image-Width, Image-Height, Location; counts one', async () => {
    const before = await count()
    const answer = await ask({ ...GCS, headers: { 'Cache-Control': 'no-cache' } })
    expect([answer.status, answer.body.toString()]).toEqual([200, '{}'])
    expect(answer.headers).toMatchObject({
      'image-width': '120',
      'image-height': '80',
      location: `${buckets.url}/my-bucket/images/photo.jpg`,
      'compression-count': String(before + 1),
    })
    const [stored] = buckets.requests
    expect(stored!.headers).toMatchObject({ authorization: 'Bearer ya29.token', 'cache-control': 'no-cache' })
    expect(stored!.body.equals(compressed)).toBe(true)
  })

  it('W§1.6 store after resize and convert: the made image is stored, and all three count', async () => {
    const before = await count()
    const answer = await ask(GCS, { convert: { type: 'image/webp' }, resize: { method: 'scale', width: 60 } })
    expect(answer.headers).toMatchObject({ 'image-width': '60', 'compression-count': String(before + 3) })
    expect(core.detectType(buckets.requests[0]!.body)).toBe('image/webp')
  })

  it('W§2 422 StoreFailed: status and code of the storage, never its credentials; nothing is counted', async () => {
    const before = await count()
    buckets.refuseWith(403, 'AccessDenied')
    const answer = await ask(S3)
    expect([answer.status, answer.json().error]).toEqual([422, 'StoreFailed'])
    expect(answer.json().message).toMatch(/403/)
    expect(answer.json().message).toMatch(/AccessDenied/)
    expect(answer.body.toString()).not.toContain(SECRET)
    expect(JSON.stringify(server.log)).not.toContain(SECRET)
    expect(await count()).toBe(before)
  })
})
