import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { createTestAuthority } from '@pixpress/testkit'
import type { TestAuthority } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeImages } from '../support/images.ts'
import type { TestImages } from '../support/images.ts'
import { KEY, basic, startTestServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let authority: TestAuthority
let folder: string
let images: TestImages
let plain: TestServer
let encrypted: TestServer

beforeAll(async () => {
  authority = await createTestAuthority()
  images = await makeImages()
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-names-'))
  const files = { 'tls-cert': path.join(folder, 'cert.pem'), 'tls-key': path.join(folder, 'key.pem') }
  await writeFile(files['tls-cert'], authority.server.cert)
  await writeFile(files['tls-key'], authority.server.key)
  plain = await startTestServer()
  encrypted = await startTestServer(files)
})
afterAll(async () => {
  await plain.stop()
  await encrypted.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Everything that a server sends to one request, as it is on the wire. */
function answerTo(url: string, request: string | Uint8Array): Promise<string> {
  const { protocol, hostname, port } = new URL(url)
  const to = { host: hostname, port: Number(port) }
  return new Promise((resolve, reject) => {
    const socket = protocol === 'https:' ? tls.connect({ ...to, ca: authority.ca }) : net.connect(to)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('end', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.once('error', reject)
    socket.write(request)
  })
}

function requestOf(
  line: string,
  { key = KEY, body = '' as string | Uint8Array, headers = [] as string[] } = {},
): Buffer {
  const authorization = key === '' ? [] : [`Authorization: ${basic(key)}`]
  const length = body.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...authorization, ...length, ...headers]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
}

/** The names of an answer's headers, as they are spelt, in a table that knows upper from lower case. */
function namesOf(answer: string): Map<string, string> {
  const [head = ''] = answer.split('\r\n\r\n', 1)
  const lines = head.split('\r\n').slice(1)
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
}

const misspelt = (answer: string): string[] =>
  [...namesOf(answer).keys()].filter((name) => !/^(?:WWW|[A-Z][A-Za-z\d]*)(?:-[A-Z][A-Za-z\d]*)*$/.test(name))

describe.each([
  ['unencrypted', () => plain],
  ['over TLS', () => encrypted],
])('header names on the wire, %s', (_where, server) => {
  const ask = (line: string, options: Parameters<typeof requestOf>[1] = {}): Promise<string> =>
    answerTo(server().url, requestOf(line, options))

  it('are in canonical case on every kind of answer', async () => {
    const upload = await ask('POST /shrink', { body: images.png })
    const location = namesOf(upload).get('Location')!
    const target = new URL(location).pathname
    const json = { headers: ['Content-Type: application/json'], body: '{"resize":{"method":"scale","width":12}}' }
    const image = ['Compression-Count', 'Content-Length', 'Content-Type', 'Image-Height', 'Image-Width']
    const error = ['Compression-Count', 'Content-Length', 'Content-Type']
    const answers: [what: string, status: number, expected: string[], answer: string][] = [
      ['an upload', 201, ['Compression-Count', 'Content-Length', 'Content-Type', 'Location'], upload],
      ['a download, streamed', 200, image, await ask(`GET ${target}`)],
      ['an image made anew', 200, image, await ask(`POST ${target}`, json)],
      ['HEAD', 200, image, await ask(`HEAD ${target}`)],
      ['an empty upload', 400, error, await ask('POST /shrink')],
      ['what is no image', 415, error, await ask('POST /shrink', { body: 'no image' })],
      ['a wrong key', 401, ['Content-Type', 'WWW-Authenticate'], await ask('POST /shrink', { key: 'wrong' })],
      ['no such output', 404, error, await ask('GET /output/0')],
      ['a wrong method', 405, [...error, 'Allow'], await ask(`DELETE ${target}`)],
      ['a URL that is none', 400, ['Content-Type'], await ask('GET http://[/')],
      ['the page', 200, ['Content-Security-Policy', 'Content-Type'], await ask('GET /page.css')],
      ['a probe', 200, ['Content-Type', 'X-Request-Id'], await ask('GET /readyz')],
    ]
    for (const [what, status, expected, answer] of answers) {
      expect(answer, what).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect([...namesOf(answer).keys()], what).toEqual(expect.arrayContaining(expected))
      expect(misspelt(answer), what).toEqual([])
    }
  })

  it('are so where the request is not HTTP, and where a body is malformed', async () => {
    for (const request of [
      'nonsense\r\n\r\n',
      `${requestOf('POST /shrink', { headers: ['Transfer-Encoding: chunked'] }).toString()}zz\r\n`,
    ]) {
      const answer = await answerTo(server().url, request)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect([...namesOf(answer).keys()]).toEqual(expect.arrayContaining(['Content-Length', 'Content-Type']))
      expect(misspelt(answer)).toEqual([])
    }
  })
})
