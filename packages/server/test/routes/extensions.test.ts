import { animation, naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="8"><script>alert(1)</script></svg>'

let server: TestServer
let images: TestImages

beforeAll(async () => {
  images = await makeImages()
  server = await startTestServer()
})
afterAll(() => server.stop())

async function upload(body: Buffer): Promise<string> {
  const answer = await server.send('POST', '/shrink?types=all', { body })
  expect(answer.status).toBe(201)
  return new URL(answer.headers.location!).pathname
}

const count = async (): Promise<number> => Number((await server.send('POST', '/shrink')).headers['compression-count'])

describe('types=all', () => {
  it('takes a GIF, which can become an animated WebP', async () => {
    const output = await upload(await animation(40, 30).gif())
    expect((await server.send('GET', output)).headers['content-type']).toBe('image/gif')
    const webp = await server.send('POST', output, { json: { convert: { type: 'image/webp' } } })
    expect([webp.status, webp.headers['content-type']]).toEqual([200, 'image/webp'])
  })

  it('takes an SVG, whose scripts do not run under the address of the server', async () => {
    const answer = await server.send('GET', await upload(Buffer.from(SVG)))
    expect(answer.headers['content-type']).toBe('image/svg+xml')
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/)
  })

  it.each([
    ['no size', '', [0, 0]],
    ['no size but a view box', 'viewBox="0 0 30 20"', [30, 20]],
    ['a size of its place', 'width="100%" height="100%"', [0, 0]],
    ['a size in parts of pixels', 'width="12.5" height="8.4"', [13, 8]],
  ])('keeps an SVG with %s, and tells its pixels as far as there are some', async (_, size, pixels) => {
    const output = await upload(
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}><path d="M0 0h9v9z"/></svg>`),
    )
    const { status, headers } = await server.send('GET', output)
    expect([status, [headers['image-width'], headers['image-height']].map(Number)]).toEqual([200, pixels])
  })

  it('is needed for these types, and nothing else is taken with it', async () => {
    const plain = await server.send('POST', '/shrink', { body: Buffer.from(SVG) })
    expect([plain.status, plain.json().error]).toEqual([415, 'UnsupportedMediaType'])
    const text = await server.send('POST', '/shrink?types=all', { body: Buffer.from('hello') })
    expect([text.status, text.json().error]).toEqual([415, 'UnsupportedMediaType'])
    const some = await server.send('POST', '/shrink?types=gif', { body: Buffer.from(SVG) })
    expect([some.status, some.json().message]).toEqual([400, naming("'types'", "'all'")])
  })
})

describe('quality', () => {
  it('makes another compression of the upload, which counts one', async () => {
    const output = await upload(images.jpeg)
    const before = await count()
    const usual = await server.send('GET', output)
    const small = await server.send('GET', `${output}?quality=small`)
    expect([small.status, small.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(small.body.length).toBeLessThan(usual.body.length)
    expect(small.headers['compression-count']).toBe(String(before + 1))
  })

  it('goes along with commands, and counts nothing beside those that do', async () => {
    const output = await upload(images.png)
    const before = await count()
    const made = await server.send('POST', `${output}?quality=lossless`, { json: { convert: { type: 'image/webp' } } })
    expect([made.status, made.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(made.headers['compression-count']).toBe(String(before + 1))
    const score = await server.send('GET', `${output}?quality=62.5`)
    expect(score.status).toBe(200)
  })

  it.each(['tiny', '0', '101', ''])('refuses the quality "%s", and names what is allowed', async (text) => {
    const answer = await server.send('GET', `${await upload(images.png)}?quality=${text}`)
    expect([answer.status, answer.json().error]).toEqual([400, 'BadRequest'])
    expect(answer.json().message).toContain("'quality'")
  })
})
