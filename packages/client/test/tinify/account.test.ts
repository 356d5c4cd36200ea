import { setTimeout as delay } from 'node:timers/promises'
import { photo, refuse, startImageService } from '@pixpress/testkit'
import type { ImageService } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import tinify from '../../src/tinify/index.ts'

let service: ImageService
let png: Buffer
const { PIXPRESS_ENDPOINT } = process.env

beforeAll(async () => {
  png = await photo(96, 64).png()
})
beforeEach(async () => {
  service = await startImageService({ keys: ['one-key', 'other-key'] })
  delete process.env.PIXPRESS_ENDPOINT
  tinify.Client.API_ENDPOINT = undefined
  tinify.key = 'one-key'
})
afterEach(() => service.close())
afterAll(() => {
  if (PIXPRESS_ENDPOINT !== undefined) process.env.PIXPRESS_ENDPOINT = PIXPRESS_ENDPOINT
})

describe('the program’s account', () => {
  it('finds its service by the variable, and by the setting before it', async () => {
    process.env.PIXPRESS_ENDPOINT = service.endpoint
    await tinify.validate()
    tinify.endpoint = 'http://127.0.0.1:9'
    await expect(tinify.validate()).rejects.toThrow(tinify.ConnectionError)
    tinify.endpoint = service.endpoint
    await tinify.validate()
    expect(service.requests.map(({ path }) => path)).toEqual(['/shrink', '/shrink'])
  })

  it('says what is missing', async () => {
    await expect(tinify.validate()).rejects.toThrow('tinify.endpoint = ... or PIXPRESS_ENDPOINT')
    tinify.key = ''
    expect(() => tinify.fromUrl('https://example.com/a.png')).toThrow(tinify.AccountError)
  })

  it('keeps one connection until a setting changes, and asks for a result with the upload’s key', async () => {
    tinify.endpoint = service.endpoint
    const { client } = tinify
    expect(tinify.client).toBe(client)
    const source = tinify.fromBuffer(png)
    tinify.key = 'other-key'
    expect(tinify.client).not.toBe(client)
    expect(await source.result().width()).toBe(96)
    expect([...service.counts]).toEqual([
      ['one-key', 1],
      ['other-key', 0],
    ])
    expect(tinify.compressionCount).toBe(1)
  })

  it('makes one further try', async () => {
    tinify.endpoint = service.endpoint
    for (let time = 0; time < 2; time++)
      service.script.push((response) => refuse(response, 503, 'ServiceUnavailable', 'Away.'))
    await expect(tinify.fromBuffer(png).toBuffer()).rejects.toThrow(tinify.ServerError)
    expect(service.requests).toHaveLength(2)
  })

  it('lives on when an upload fails whose result nobody asks for', async () => {
    tinify.endpoint = service.endpoint
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const failed = tinify.fromBuffer('no image')
      failed.result()
      await expect.poll(() => service.requests.length).toBe(1)
      await expect(failed.toBuffer()).rejects.toThrow(tinify.ClientError)
      await delay(20)
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', note)
    }
  })
})
