import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { animation, photo, naming } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRaw } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { KEY, OTHER_KEY, basic, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let server: TestServer
let images: TestImages

beforeAll(async () => {
  images = await makeImages()
  server = await startTestServer({ 'max-bytes': '1MB', 'upload-timeout': '1500ms', 'upload-memory': '2MB' })
})
afterAll(() => server.stop())

const head = (...lines: string[]): string =>
  [`POST /shrink HTTP/1.1`, 'Host: localhost', `Authorization: ${basic(KEY)}`, ...lines, '', ''].join('\r\n')

const count = async (): Promise<string> => String((await server.send('POST', '/shrink')).headers['compression-count'])

const upload = async (body: Buffer): Promise<number> => (await server.send('POST', '/shrink', { body })).status

/** Many requests by fetch, which closes its side as soon as a write fails. */
async function uploadByFetch(times: number, init: () => RequestInit): Promise<Record<string, number>> {
  const seen: Record<string, number> = {}
  for (let i = 0; i < times; i++) {
    const outcome = await fetch(`${server.url}/shrink`, { method: 'POST', ...init() }).then(
      async (response) => `${response.status} ${((await response.json()) as { error: string }).error}`,
      (error: Error) => String((error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.message),
    )
    seen[outcome] = (seen[outcome] ?? 0) + 1
  }
  return seen
}

/** Eight megabytes that announce no length. */
function streamed(): ReadableStream {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent++ < 8) controller.enqueue(new Uint8Array(1_000_000))
      else controller.close()
    },
  })
}

describe('uploads that are refused', () => {
  const headers = { Authorization: basic(KEY) }

  it('a client that still sends sees its 413, with an announced length', async () => {
    const body = Buffer.alloc(8_000_000)
    expect(await uploadByFetch(15, () => ({ headers, body }))).toEqual({ '413 InputTooLarge': 15 })
  })

  it('a client that still sends sees its 413, without one', async () => {
    const seen = await uploadByFetch(10, () => ({ headers, body: streamed(), duplex: 'half' }) as RequestInit)
    expect(seen).toEqual({ '413 InputTooLarge': 10 })
  })

  it('a client that still sends sees its 401', async () => {
    const body = Buffer.alloc(8_000_000)
    expect(await uploadByFetch(10, () => ({ body }))).toEqual({ '401 Unauthorized': 10 })
  })

  it('the connection serves further requests afterwards', async () => {
    const length = 1_500_000
    const refused = Buffer.concat([Buffer.from(head(`Content-Length: ${length}`)), Buffer.alloc(length)])
    const next = Buffer.concat([
      Buffer.from(head(`Content-Length: ${images.png.length}`, 'Connection: close')),
      images.png,
    ])
    const answers = await sendRaw(server.url, Buffer.concat([refused, next]), { end: false })
    expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['413', '201'])
  })

  it('Expect: 100-continue is granted only when the body is wanted', async () => {
    const wanted = head(`Content-Length: ${images.png.length}`, 'Expect: 100-continue', 'Connection: close')
    const granted = await sendRaw(server.url, Buffer.concat([Buffer.from(wanted), images.png]), { end: false })
    expect(granted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
    const tooLarge = head('Content-Length: 5000000', 'Expect: 100-continue')
    const refused = await firstAnswer(tooLarge)
    expect(refused).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('uploads that go wrong', () => {
  it('a body shorter than its length is a 400, and counts nothing', async () => {
    const before = await count()
    const cut = Buffer.concat([Buffer.from(head(`Content-Length: ${images.png.length + 10}`)), images.png])
    const answer = await sendRaw(server.url, cut)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"error":"BadRequest"')
    expect(await count()).toBe(before)
  })

  it('a body longer than its length: the image is answered, what follows is not HTTP', async () => {
    const long = Buffer.concat([
      Buffer.from(head(`Content-Length: ${images.png.length}`)),
      images.png,
      Buffer.from('rest of it\r\n\r\n'),
    ])
    const answer = await sendRaw(server.url, long, { end: false })
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('malformed chunks are a 400', async () => {
    const answer = await sendRaw(server.url, `${head('Transfer-Encoding: chunked')}5\r\nhello\r\nnonsense\r\n`, {
      end: false,
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    // Not that nothing came for a while: the headers and what is wrong with the body come in one packet.
    expect(answer).toEqual(naming('"error":"BadRequest","message":"'))
  })

  it('a chunked upload is as good as any', async () => {
    const size = images.png.length.toString(16)
    const chunked = [
      head('Transfer-Encoding: chunked', 'Connection: close'),
      `${size}\r\n`,
      images.png,
      '\r\n0\r\n\r\n',
    ]
    const answer = await sendRaw(server.url, Buffer.concat(chunked.map((part) => Buffer.from(part))), { end: false })
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
  })

  it('a client that hangs up in the middle leaves nothing behind', async () => {
    const before = await count()
    for (let i = 0; i < 5; i++) {
      await new Promise<void>((resolve) => {
        const socket = connect()
        socket.write(head(`Content-Length: ${images.png.length}`))
        socket.write(images.png.subarray(0, 1000), () => {
          socket.destroy()
          resolve()
        })
      })
    }
    expect(await count()).toBe(before)
    expect((await server.send('POST', '/shrink', { body: images.png })).status).toBe(201)
  })

  it('a client that hangs up before the answer is not counted', async () => {
    const before = Number(await count())
    await new Promise<void>((resolve) => {
      const socket = connect()
      socket.write(Buffer.concat([Buffer.from(head(`Content-Length: ${images.jpeg.length}`)), images.jpeg]), () => {
        socket.resetAndDestroy()
        resolve()
      })
    })
    // The next upload waits for its turn behind the one that nobody wants any more.
    await server.send('POST', '/shrink', { body: images.jpeg })
    await server.send('POST', '/shrink', { body: images.jpeg })
    expect(Number(await count())).toBe(before + 2)
  })

  it('a client that is too slow is told so', async () => {
    const answer = await firstAnswer(`${head('Content-Length: 1000')}slowly`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('took too long')
  })

  it('uploads that do not fit into memory together are answered with 503', async () => {
    const held = [KEY, OTHER_KEY].map((key) => {
      const socket = connect()
      socket.on('error', () => undefined)
      socket.write(head('Content-Length: 1000000').replace(basic(KEY), basic(key)))
      socket.write(Buffer.alloc(990_000))
      return socket
    })
    await expect.poll(() => upload(Buffer.alloc(100_000))).toBe(503)
    for (const socket of held) socket.destroy()
    await expect.poll(() => upload(images.png)).toBe(201)
  })

  it('a bomb is refused before it is decoded', async () => {
    // A PNG header that claims 60,000 × 60,000 pixels, with as good as no data behind it.
    const bomb = Buffer.from(images.png)
    bomb.writeUInt32BE(60_000, 16)
    bomb.writeUInt32BE(60_000, 20)
    const answer = await server.send('POST', '/shrink', { body: bomb })
    expect([answer.status, answer.json().error]).toEqual([413, 'InputTooLarge'])
  })
})

describe('large uploads', () => {
  it('are kept as they came, however many follow each other', async () => {
    const busy = await startTestServer({ concurrency: '2' })
    try {
      const uploads = await Promise.all(Array.from({ length: 20 }, (_, index) => largeUpload(40 + index)))
      const answers = new Map<number, Answer>()
      const waiting = [...uploads.entries()]
      const send = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          answers.set(next[0], await busy.send('POST', '/shrink', { body: next[1] }))
        }
      }
      await Promise.all(Array.from({ length: 4 }, send))
      expect(answers.size).toBe(20)
      for (const [index, answer] of answers) {
        expect(answer.status).toBe(201)
        const { width, size, url } = answer.json().output as { width: number; size: number; url: string }
        expect(width).toBe(40 + index)
        const id = new URL(url).pathname.split('/').at(-1)!
        const kept = await readFile(path.join(busy.folder, 'outputs', id.slice(0, 2), `${id}.upload`))
        expect(Buffer.compare(kept, uploads[index]!)).toBe(0)
        expect((await busy.send('GET', url)).body.length).toBe(size)
      }
    } finally {
      await busy.stop()
    }
  })
})

describe('limits', () => {
  it('an image that takes too long is a 400', async () => {
    const hasty = await startTestServer({ timeout: '1ms' })
    try {
      const answer = await hasty.send('POST', '/shrink', { body: images.jpeg })
      expect([answer.status, answer.json().error]).toEqual([400, 'BadRequest'])
      expect(answer.json().message).toContain('1 ms')
      expect(answer.headers['compression-count']).toBe('0')
    } finally {
      await hasty.stop()
    }
  })

  it('an animation with too many frames is a 413', async () => {
    const strict = await startTestServer({ 'max-frames': '3' })
    try {
      const answer = await strict.send('POST', '/shrink', { body: await animation(24, 16, 4).webp() })
      expect([answer.status, answer.json().error]).toEqual([413, 'InputTooLarge'])
      expect((await strict.send('POST', '/shrink', { body: await animation(24, 16, 3).webp() })).status).toBe(201)
    } finally {
      await strict.stop()
    }
  })
})

function connect(): net.Socket {
  const { hostname, port } = new URL(server.url)
  return net.connect({ host: hostname, port: Number(port) })
}

/** Sends the beginning of a request and returns what comes back first, without ending it. */
function firstAnswer(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect()
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The connection was closed without an answer.')))
    socket.once('data', (data) => {
      resolve(data.toString('latin1'))
      socket.destroy()
    })
    socket.write(bytes)
  })
}

/** A picture of its own width behind 400 kB that are no picture. */
async function largeUpload(width: number): Promise<Buffer> {
  const jpeg = await photo(width, 30).jpeg()
  const length = 50_000
  const segments = Array.from({ length: 8 }, () =>
    Buffer.concat([Buffer.from([0xff, 0xeb, (length + 2) >> 8, (length + 2) & 0xff]), randomBytes(length)]),
  )
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}
