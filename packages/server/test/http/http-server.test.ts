import { afterEach, describe, expect, it } from 'vitest'
import type http from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpServer } from '../../src/http/http-server.ts'
import { sendRequest } from '../support/http.ts'

const ignore = (): void => undefined

let server: http.Server

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Starts a server whose app answers when it is told to. */
async function start(app: () => Promise<Response>, isClosing = false): Promise<URL> {
  server = createHttpServer(app, {
    tls: undefined,
    uploadTimeout: 60_000,
    answerTimeout: 900_000,
    retryAfter: () => 41_500,
    onMalformed: () => undefined,
    closing: () => isClosing,
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/shrink`)
}

/** Does to every connection what Node does when nothing has come over it for as long as may be. */
async function timeOut(begun: Promise<void>): Promise<void> {
  await begun
  for (const socket of sockets) server.emit('timeout', socket)
}

const sockets = new Set<unknown>()

describe('createHttpServer', () => {
  it('gives no connection up before an image may have waited and been worked on', async () => {
    await start(async () => new Response('here'))
    expect(server.timeout).toBe(960_000)
  })

  it.each([
    [true, 'close'],
    [false, 'keep-alive'],
  ])('ends connections with their answers where it is closing: %s', async (isClosing, connection) => {
    const url = await start(async () => new Response('here'), isClosing)
    const { headers } = await sendRequest('GET', url, { headers: { Connection: 'keep-alive' } })
    expect(headers.connection).toBe(connection)
  })

  it('answers with when to come back before it gives a connection up', async () => {
    let begin: () => void = ignore
    const begun = new Promise<void>((resolve) => (begin = resolve))
    let answer: (response: Response) => void = ignore
    const answered = new Promise<Response>((resolve) => (answer = resolve))
    const url = await start(() => {
      begin()
      return answered
    })
    server.on('connection', (socket) => sockets.add(socket))
    const sent = sendRequest('POST', url, { body: 'image' })
    await timeOut(begun)
    const { status, headers, json } = await sent
    expect([status, headers['retry-after'], headers['content-type'], headers.connection]).toEqual([
      503,
      '42',
      'application/json',
      'close',
    ])
    expect(json()).toEqual({
      error: 'ServiceUnavailable',
      message: expect.stringContaining('42 seconds'),
    })
    // The app's own answer comes too late, and harms nobody.
    answer(new Response('late'))
    expect((await sendRequest('GET', new URL('/again', await restart()))).status).toBe(200)
  })

  it('closes a connection on which nothing is asked', async () => {
    const url = await start(async () => new Response('here'))
    const closed = new Promise<void>((resolve) => {
      server.on('connection', (socket) => {
        socket.on('close', () => resolve())
        setImmediate(() => server.emit('timeout', socket))
      })
    })
    await sendRequest('GET', url).catch(() => undefined)
    await closed
    expect(server.listening).toBe(true)
  })
})

async function restart(): Promise<URL> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return start(async () => new Response('here'))
}
