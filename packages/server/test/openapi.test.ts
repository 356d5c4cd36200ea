import type { DeliveryOperations } from '@pixpress/client/delivery'
import { IMAGE_TYPES } from '@pixpress/core'
import { naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPENAPI as openapi } from '../src/routes/openapi.ts'
import { ERROR_STATUS } from '../src/http/http-error.ts'
import { DELIVERY_KEY, ask } from './support/delivery.ts'
import type { DeliveryOptions } from './support/delivery.ts'
import type { Answer, RequestOptions } from './support/http.ts'
import { makeImages } from './support/images.ts'
import type { TestImages } from './support/images.ts'
import { conforms, disagreements } from './support/openapi.ts'
import { basic, startTestServer } from './support/server.ts'
import type { TestServer } from './support/server.ts'

let server: TestServer
let images: TestImages
let upload: Answer
let output: string

beforeAll(async () => {
  images = await makeImages()
  server = await startTestServer({ 'delivery-key': DELIVERY_KEY })
  upload = await server.send('POST', '/shrink', { body: images.transparent })
  output = new URL(upload.headers.location!).pathname
})
afterAll(() => server.stop())

const { schemas } = openapi.components as unknown as { schemas: Record<string, Parameters<typeof conforms>[1]> }

describe('the OpenAPI document', () => {
  it('is served as it is', async () => {
    const answer = await server.send('GET', '/openapi.json', { authorization: undefined })
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual(openapi)
  })

  it('has every reference it makes', () => {
    const text = JSON.stringify(openapi)
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
    expect(references.length).toBeGreaterThan(50)
    const components = openapi.components as unknown as Record<string, Record<string, unknown>>
    for (const [, kind, name] of references) expect(components[kind!]?.[name!], `${kind}/${name}`).toBeDefined()
  })

  it('names the types of images that the engine writes, and their other spellings', () => {
    expect(schemas.ImageType!.enum).toEqual([...IMAGE_TYPES])
    expect(schemas.ConvertType!.enum).toEqual([...IMAGE_TYPES, 'image/jpg', 'image/pjpeg', 'image/apng', '*/*'])
    expect(schemas.ConvertType!.description).toEqual(naming('`*/*`', 'AVIF', 'WebP', 'JPEG', 'PNG', '`image/jpg`'))
  })

  it('names every kind of object storage with the members that a client may give', () => {
    const { properties } = schemas.Commands as unknown as { properties: { store: unknown } }
    expect(properties.store).toEqual({
      oneOf: ['Azure', 'Gcs', 'S3'].map((name) => ({ $ref: `#/components/schemas/Store${name}` })),
    })
    expect(schemas.StoreGcs).toEqual({
      type: 'object',
      required: ['service', 'gcp_access_token', 'path'],
      additionalProperties: false,
      properties: {
        service: { const: 'gcs' },
        gcp_access_token: { type: 'string', minLength: 1 },
        path: { type: 'string', minLength: 1, description: '`<bucket>/<path>/<filename>`' },
        headers: { $ref: '#/components/schemas/StoreHeaders' },
      },
    })
    // Neither an endpoint nor a session token is among a client's rights.
    expect(Object.keys(schemas.StoreS3!.properties as object).toSorted()).toEqual([
      'acl',
      'aws_access_key_id',
      'aws_secret_access_key',
      'headers',
      'path',
      'region',
      'service',
    ])
  })

  it('names the errors that the server knows', () => {
    const { error } = schemas.Error!.properties as { error: { enum: string[] } }
    expect(error.enum.toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted())
  })

  it.each<[string, string, (() => string) | string, () => RequestOptions]>([
    ['POST', '/shrink', '/shrink', () => ({ body: images.png })],
    ['POST', '/shrink', '/shrink', () => ({})],
    ['POST', '/shrink', '/shrink', () => ({ authorization: basic('wrong') })],
    ['POST', '/shrink', '/shrink', () => ({ json: { source: { url: 'http://10.0.0.1/' } } })],
    ['POST', '/shrink', '/shrink', () => ({ body: 'no image' })],
    ['POST', '/shrink', '/shrink', () => ({ body: images.jpeg.subarray(0, 50) })],
    ['GET', '/output/{id}', () => output, () => ({})],
    ['GET', '/output/{id}', () => output, () => ({ json: { convert: { type: 'image/webp' } } })],
    ['POST', '/output/{id}', () => output, () => ({ json: { resize: { method: 'fit', width: 20, height: 20 } } })],
    ['POST', '/output/{id}', () => output, () => ({ json: { convert: { type: 'image/jpeg' } } })],
    ['POST', '/output/{id}', () => output, () => ({ json: { resize: 5 } })],
    ['GET', '/output/{id}', '/output/1', () => ({})],
    ['GET', '/healthz', '/healthz', () => ({})],
    ['GET', '/readyz', '/readyz', () => ({})],
    ['GET', '/openapi.json', '/openapi.json', () => ({})],
  ])('%s %s is answered as described (%#)', async (method, path, target, options) => {
    const answer = await server.send(method, typeof target === 'string' ? target : target(), options())
    expect(disagreements(method, path, answer)).toEqual([])
  })

  it.each<[string, string, DeliveryOperations, DeliveryOptions]>([
    ['a picture', 'output', { download: 'a.png' }, {}],
    ['a range', 'output', { format: 'original' }, { headers: { Range: 'bytes=0-9' } }],
    ['304', 'output', {}, { headers: { 'If-None-Match': '*' } }],
    ['a range behind the end', 'output', {}, { headers: { Range: 'bytes=9999999-' } }],
    ['an unknown source', 'nowhere/a.png', {}, {}],
    ['an unknown operation', 'output', { widht: 5 }, {}],
    ['a URL whose time is over', 'output', { expires: 5 }, {}],
  ])('%s of a delivery is answered as described', async (_, source, operations, options) => {
    const answer = await ask(server.url, source === 'output' ? output.slice(1) : source, operations, options)
    expect(disagreements('GET', '/i/{signature}/{operations}/{source}', answer)).toEqual([])
  })

  it('the checker finds what does not agree', () => {
    const tampered = { ...upload, headers: { ...upload.headers, 'x-surprise': '1', 'compression-count': '-1' } }
    expect(disagreements('POST', '/shrink', tampered)).toEqual([
      'Compression-Count: -1',
      expect.stringContaining('x-surprise'),
    ])
    expect(disagreements('POST', '/shrink', { ...upload, status: 200 })).toEqual(['POST /shrink: 200 is not described'])
    const other = { ...upload, json: <T>() => ({ input: {}, output: {} }) as T }
    expect(disagreements('POST', '/shrink', other)).toHaveLength(1)
  })

  it('accepts the commands that the server accepts, and refuses those it refuses', async () => {
    const commands = [
      { resize: { method: 'scale', width: 20 } },
      { resize: { method: 'scale', width: 20, height: 20 } },
      { resize: { method: 'thumb', width: 20, height: 20 } },
      { resize: { method: 'cover', width: 20 } },
      { resize: { method: 'scale', width: 0 } },
      { convert: { type: ['image/png', '*/*'] } },
      { convert: { type: [] } },
      { convert: { type: 'image/gif' } },
      { transform: { background: '#FF8800' } },
      { transform: { background: 'red' } },
      { preserve: ['copyright', 'location'] },
      { preserve: ['artist'] },
      { convert: { type: 'image/jpg' }, transform: { background: 'black' }, preserve: [] },
      { quality: 80 },
      { store: { service: 'azure' } },
      { store: { service: 's3', aws_access_key_id: 'a', aws_secret_access_key: 'b', region: 'c' } },
      { store: { service: 'gcs', path: 'bucket/name' } },
      {},
    ]
    for (const json of commands) {
      const { status } = await server.send('POST', output, { json })
      expect(status === 200, JSON.stringify(json)).toBe(conforms(json as never, schemas.Commands!))
    }
  })
})
