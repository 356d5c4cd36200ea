import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { atWidth, deliveryUrl } from '@pixpress/client/delivery'
import { animation, decode, detect, expectSimilar, photo, naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, DELIVERY_KEY, SAFARI, ask } from '../support/delivery.ts'
import { serveFiles } from '../support/file-server.ts'
import type { FileServer } from '../support/file-server.ts'
import { sendRequest } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let images: TestImages
let folder: string
let files: FileServer
let server: TestServer

beforeAll(async () => {
  images = await makeImages()
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-originals-'))
  const photos = path.join(folder, 'photos')
  await mkdir(path.join(photos, 'deep', '.hidden'), { recursive: true })
  await writeFile(path.join(folder, 'secret.png'), images.png)
  await writeFile(path.join(photos, 'a.jpg'), images.jpeg)
  await writeFile(path.join(photos, 'deep', 'ä b,c.png'), images.transparent)
  await writeFile(path.join(photos, 'deep', '.hidden', 'a.png'), images.png)
  await writeFile(path.join(photos, '.a.png'), images.png)
  await writeFile(path.join(photos, 'moving.gif'), await animation(40, 30).gif())
  await writeFile(path.join(photos, 'new.avif'), await photo(64, 48).avif(60))
  await writeFile(
    path.join(photos, 'drawing.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>',
  )
  await writeFile(path.join(photos, 'notes.txt'), 'no picture')
  await writeFile(path.join(photos, 'cut.jpg'), images.jpeg.subarray(0, 60))
  await symlink(path.join(folder, 'secret.png'), path.join(photos, 'link.png'))
  await symlink('a.jpg', path.join(photos, 'inside.jpg'))
  files = await serveFiles({ '/shop/b.png': images.png, '/c%20d.png': images.png })
  server = await startTestServer({
    'delivery-key': DELIVERY_KEY,
    'delivery-source': `photos=${photos},shop=${files.url}/shop`,
    'delivery-preset': 'small=w=64;format=webp, list=w=32;format=webp,jpeg',
    'delivery-widths': '32,64',
    'allow-source': `127.0.0.1:${files.port}`,
  })
}, 300_000)
afterAll(async () => {
  await server?.stop()
  await files?.close()
  await rm(folder, { recursive: true, force: true })
})

const typeOf = ({ headers, body }: Answer): unknown => {
  expect(headers['content-type']).toBe(`image/${detect(body)}`)
  return detect(body)
}

const refused = async (answer: Promise<Answer>): Promise<[number, unknown, string | undefined]> => {
  const { status, json, headers } = await answer
  return [status, json().error, headers['cache-control']]
}

describe('a picture', () => {
  it('comes from a folder, in its own type for a client that names no other, and looks as the original', async () => {
    const answer = await ask(server.url, 'photos/a.jpg')
    expect([answer.status, typeOf(answer)]).toEqual([200, 'jpeg'])
    expect(answer.body.length).toBeLessThan(images.jpeg.length)
    expect(answer.headers).toMatchObject({
      'content-length': String(answer.body.length),
      'cache-control': expect.stringMatching(/^public, max-age=\d+$/),
      vary: 'Accept',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
    await expectSimilar(answer.body, images.jpeg)
  })

  it.each([
    [CHROMIUM, ['avif', 'webp', 'jpeg']],
    [SAFARI, ['avif', 'webp', 'jxl', 'jpeg']],
    ['image/webp,*/*', ['webp', 'jpeg']],
    ['*/*', ['jpeg']],
  ])('has the smallest type that %s shows', async (accept, allowed) => {
    const answer = await ask(server.url, 'photos/a.jpg', { w: 100 }, { accept })
    expect(allowed).toContain(typeOf(answer))
    const own = await ask(server.url, 'photos/a.jpg', { w: 100 })
    expect(answer.body.length).toBeLessThanOrEqual(own.body.length)
    if (accept !== '*/*') expect(typeOf(answer)).not.toBe('jpeg')
  })

  it('has the size that is asked for, with its transparency', async () => {
    const answer = await ask(server.url, 'photos/deep/ä b,c.png', { w: 48 }, { accept: CHROMIUM })
    expect(await decode(answer.body)).toMatchObject({ width: 48, height: 32, hasAlpha: true })
  })

  it('moves where it moved', async () => {
    const answer = await ask(server.url, 'photos/moving.gif', {}, { accept: CHROMIUM })
    expect(typeOf(answer)).toBe('webp')
    expect(await decode(answer.body)).toMatchObject({ width: 40, height: 30, frames: 4 })
    expect(typeOf(await ask(server.url, 'photos/moving.gif'))).toBe('gif')
  })

  it('whose type a client does not name comes as one that everybody shows', async () => {
    expect(['jpeg', 'png']).toContain(typeOf(await ask(server.url, 'photos/new.avif')))
    expect(['avif', 'webp']).toContain(typeOf(await ask(server.url, 'photos/new.avif', {}, { accept: CHROMIUM })))
  })

  it('of a type that is named does not vary', async () => {
    for (const operations of [{ format: 'webp' }, { format: 'original' }, { preset: 'small' }]) {
      const answer = await ask(server.url, 'photos/a.jpg', operations, { accept: CHROMIUM })
      expect([answer.status, answer.headers.vary]).toEqual([200, undefined])
      expect(typeOf(answer)).toBe('format' in operations && operations.format === 'original' ? 'jpeg' : 'webp')
    }
  })

  it('follows a preset', async () => {
    const answer = await ask(server.url, 'photos/a.jpg', { preset: 'list' })
    expect(await decode(answer.body)).toMatchObject({ width: 32 })
  })

  it('comes from a URL, from a source by its name, and from an output', async () => {
    const made = await server.send('POST', '/shrink', { body: images.png })
    const output = new URL(made.headers.location!).pathname.slice(1)
    for (const source of [`${files.url}/c%20d.png`, 'shop/b.png', output]) {
      const answer = await ask(server.url, source, { w: 60 })
      expect([source, answer.status]).toEqual([source, 200])
      expect(await decode(answer.body)).toMatchObject({ width: 60, height: 40 })
    }
  })

  it('is saved under a name where that is asked for', async () => {
    const answer = await ask(server.url, 'photos/a.jpg', { w: 64, download: 'Größe "1".jpg' })
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="Gr__e _1_.jpg"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.jpg`,
    )
  })
})

describe('a signed template', () => {
  it('delivers the allowed widths and refuses every other one', async () => {
    const template = await deliveryUrl('photos/a.jpg', { w: '*' }, { endpoint: server.url, key: DELIVERY_KEY })
    const statuses = [32, 64, 65, 100].map(
      async (width) => (await sendRequest('GET', new URL(atWidth(template, width)))).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200, 403, 403])
    const open = await sendRequest('GET', new URL(template))
    expect([open.status, open.json().message]).toEqual([400, expect.stringContaining('is a template')])
  })

  it('delivers no other operation', async () => {
    const template = await deliveryUrl('photos/a.jpg', { w: '*' }, { endpoint: server.url, key: DELIVERY_KEY })
    const other = atWidth(template, 64).replace('w=64', 'blur=5;w=64')
    expect((await sendRequest('GET', new URL(other))).status).toBe(403)
  })
})

describe('a client that has a picture', () => {
  it('gets 304 with its tag, and the whole of another one', async () => {
    const first = await ask(server.url, 'photos/a.jpg', { w: 90 })
    const { etag = '' } = first.headers
    expect(etag).toMatch(/^"[\da-f]{32}"$/)
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await ask(server.url, 'photos/a.jpg', { w: 90 }, { headers: { 'If-None-Match': given } })
      expect([answer.status, answer.body.length]).toEqual([304, 0])
      expect(answer.headers).toMatchObject({
        etag,
        vary: 'Accept',
        'cache-control': expect.stringContaining('max-age'),
      })
    }
    const changed = await ask(server.url, 'photos/a.jpg', { w: 90 }, { headers: { 'If-None-Match': '"other"' } })
    expect(changed.status).toBe(200)
    const webp = await ask(
      server.url,
      'photos/a.jpg',
      { w: 90 },
      { accept: CHROMIUM, headers: { 'If-None-Match': etag } },
    )
    expect([webp.status, webp.headers.etag === etag]).toEqual([200, false])
  })

  it('gets the headers alone by HEAD', async () => {
    const get = await ask(server.url, 'photos/a.jpg', { w: 90 })
    const head = await ask(server.url, 'photos/a.jpg', { w: 90 }, { method: 'HEAD' })
    expect([head.status, head.body.length]).toEqual([200, 0])
    for (const name of ['etag', 'content-type', 'content-length', 'vary', 'accept-ranges']) {
      expect(head.headers[name]).toBe(get.headers[name])
    }
  })

  it('gets the range that it asks for', async () => {
    const whole = (await ask(server.url, 'photos/a.jpg', { w: 90 })).body
    const { length } = whole
    const ranges = [
      ['bytes=0-9', 0, 9],
      ['bytes=10-', 10, length - 1],
      ['bytes=-5', length - 5, length - 1],
      [`bytes=5-${length * 2}`, 5, length - 1],
      [`bytes=-${length * 2}`, 0, length - 1],
    ] as const
    for (const [range, first, last] of ranges) {
      const answer = await ask(server.url, 'photos/a.jpg', { w: 90 }, { headers: { Range: range } })
      expect([range, answer.status, answer.headers['content-range']]).toEqual([
        range,
        206,
        `bytes ${first}-${last}/${length}`,
      ])
      expect(answer.body.equals(whole.subarray(first, last + 1))).toBe(true)
    }
    for (const range of ['bytes=0-1,5-6', 'bytes=9-1', 'lines=1-2', 'bytes=-']) {
      const answer = await ask(server.url, 'photos/a.jpg', { w: 90 }, { headers: { Range: range } })
      expect([range, answer.status, answer.body.length]).toEqual([range, 200, length])
    }
    const behind = await ask(server.url, 'photos/a.jpg', { w: 90 }, { headers: { Range: `bytes=${length}-` } })
    expect([behind.status, behind.headers['content-range']]).toEqual([416, `bytes */${length}`])
  })

  it('gets the whole where the picture is another one since its first part', async () => {
    const { etag = '', 'content-length': length } = (await ask(server.url, 'photos/a.jpg', { w: 90 })).headers
    const part = (condition: string): Promise<Answer> =>
      ask(server.url, 'photos/a.jpg', { w: 90 }, { headers: { Range: 'bytes=0-3', 'If-Range': condition } })
    expect([(await part(etag)).status, (await part('"other"')).status]).toEqual([206, 200])
    expect((await part(`W/${etag}`)).headers['content-length']).toBe(length)
  })
})

describe('a refusal', () => {
  it('of a wrong signature is a 403 that no cache keeps', async () => {
    const url = new URL(await deliveryUrl('photos/a.jpg', {}, { endpoint: server.url, key: DELIVERY_KEY }))
    url.pathname = url.pathname.replace('a.jpg', 'b.jpg')
    expect(await refused(sendRequest('GET', url))).toEqual([403, 'Forbidden', 'no-store'])
    const other = await deliveryUrl('photos/a.jpg', {}, { endpoint: server.url, key: 'x'.repeat(32) })
    expect(await refused(sendRequest('GET', new URL(other)))).toEqual([403, 'Forbidden', 'no-store'])
  })

  it.each([
    ['photos/none.jpg', 404, 'NotFound'],
    ['photos/deep', 404, 'NotFound'],
    ['photos/link.png', 404, 'NotFound'],
    ['photos/.a.png', 404, 'NotFound'],
    ['photos/deep/.hidden/a.png', 404, 'NotFound'],
    ['nowhere/a.jpg', 404, 'NotFound'],
    ['shop/none.png', 404, 'NotFound'],
    ['http://10.0.0.1/a.png', 404, 'NotFound'],
    ['http://127.0.0.1:9/a.png', 404, 'NotFound'],
    [`output/${'0'.repeat(32)}`, 404, 'NotFound'],
    ['output/..%2f', 404, 'NotFound'],
    ['photos/notes.txt', 415, 'UnsupportedMediaType'],
    ['photos/drawing.svg', 415, 'UnsupportedMediaType'],
    ['photos/cut.jpg', 400, 'DecodeError'],
  ])('of %s is a %i that caches keep for a moment', async (source, status, error) => {
    expect(await refused(ask(server.url, source))).toEqual([status, error, 'public, max-age=10'])
  })

  it('tells nothing about what is behind the server', async () => {
    const messages = ['photos/none.jpg', 'photos/link.png', 'http://10.0.0.1/a.png', 'nowhere/a.jpg'].map(
      async (source) => (await ask(server.url, source)).json().message,
    )
    expect(new Set(await Promise.all(messages)).size).toBe(1)
  })

  it('of an operation names it', async () => {
    const answer = await ask(server.url, 'photos/a.jpg', { widht: 5 })
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: 'BadRequest', message: naming("'widht'", "'width'") },
    ])
  })

  it('of a method names those that can be used', async () => {
    const answer = await ask(server.url, 'photos/a.jpg', {}, { method: 'POST' })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('is remembered for a moment: an original that is missing is looked for once', async () => {
    const before = files.hits()
    for (let i = 0; i < 20; i++) expect((await ask(server.url, `${files.url}/gone.png`)).status).toBe(404)
    expect(files.hits()).toBe(before + 1)
  })
})

describe('a link inside of the folder', () => {
  it('leads where it leads', async () => {
    expect((await ask(server.url, 'photos/inside.jpg')).status).toBe(200)
  })
})

describe('a preset that is wrong', () => {
  it.each([
    [
      'hero=w=5;widht=5',
      "The preset 'hero' of the delivery is wrong. Unknown operation 'widht'. Did you mean 'width'?",
    ],
    [
      'hero=w=*',
      "The preset 'hero' of the delivery is wrong. This is a template: put a width in the place of the '*' of 'w=*'.",
    ],
  ])('keeps the server from starting: %s', async (preset, message) => {
    const starting = startTestServer({ 'delivery-key': DELIVERY_KEY, 'delivery-preset': preset })
    await expect(starting).rejects.toMatchObject({ code: 'INVALID_OPTION', message })
  })
})

describe('without a signing key', () => {
  it('nothing is delivered', async () => {
    const off = await startTestServer()
    try {
      expect((await ask(off.url, 'photos/a.jpg')).status).toBe(401)
      const known = await off.send('GET', `/i/${'A'.repeat(43)}/-/photos/a.jpg`)
      expect(known.status).toBe(404)
    } finally {
      await off.stop()
    }
  })
})

describe('the log', () => {
  it('holds no key, no signature and no URL', async () => {
    const written = JSON.stringify(server.log)
    expect(written).toContain('/i/:signature')
    for (const secret of [DELIVERY_KEY, 'a.jpg', files.url]) expect(written).not.toContain(secret)
  })
})
