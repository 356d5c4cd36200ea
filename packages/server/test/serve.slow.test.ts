import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { graphic, naming } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FLAGS, serve } from '../src/index.ts'
import type { ServeHost } from '../src/index.ts'
import { sendRequest } from './support/http.ts'
import type { Answer } from './support/http.ts'
import { KEY, basic } from './support/server.ts'
import { killServeProcesses, startServeProcess } from './support/serve-process.ts'

let data: string
beforeEach(async () => {
  data = await mkdtemp(path.join(os.tmpdir(), 'pixpress-serve-'))
})
afterEach(async () => {
  killServeProcesses()
  await rm(data, { recursive: true, force: true })
})

/** Waits for the answer of a server that is told to end: it is alive and not ready. */
async function expectDraining(server: string): Promise<Answer> {
  let ready: Answer | undefined
  const status = async (): Promise<number> => (ready = await sendRequest('GET', new URL('/readyz', server))).status
  await expect.poll(status).toBe(503)
  expect((await sendRequest('GET', new URL('/healthz', server))).status).toBe(200)
  return ready!
}

/** Runs the command to an end that comes before it listens. */
async function ended(argv: readonly string[], env = {}, host: Partial<ServeHost> = {}) {
  const out: string[] = []
  const error: string[] = []
  const code = await serve(argv, env, {
    out: (text) => void out.push(text),
    error: (text) => void error.push(text),
    onSignal: () => () => undefined,
    exit: () => undefined,
    nodeVersion: process.versions.node,
    ...host,
  })
  return { code, out: out.join('\n'), error: error.join('\n') }
}

describe('serve', () => {
  it('says in one sentence that Node is too old', async () => {
    for (const nodeVersion of ['20.20.0', '22.12.0']) {
      const { code, error } = await ended([], {}, { nodeVersion })
      expect(code).toBe(1)
      expect(error).toEqual(naming('22.13', nodeVersion))
    }
  })

  it('--help names every flag and variable', async () => {
    const { code, out } = await ended(['--help'])
    expect(code).toBe(0)
    for (const [name, { variable }] of Object.entries(FLAGS)) {
      expect(out).toContain(`--${name} `)
      expect(out).toContain(`(${variable})`)
    }
  })

  it('exits with 2 on wrong usage, with a suggestion and without a secret', async () => {
    const unknown = await ended(['--monthly-limits', '5'])
    expect(unknown).toMatchObject({
      code: 2,
      error: naming("'--monthly-limits'", "'--monthly-limit'"),
    })
    expect(await ended(['--keys=hunter2'])).toMatchObject({ code: 2, error: expect.not.stringContaining('hunter2') })
    expect(await ended(['--key', 'a', 'hunter2'])).toMatchObject({
      code: 2,
      error: expect.not.stringContaining('hunter2'),
    })
    expect((await ended(['--host', '0.0.0.0', '--data', data])).error).toContain('to listen unencrypted')
  })

  it('exits with 1 when the port is taken', async () => {
    const first = await startServeProcess(['--data', data])
    const { code, error } = await ended(['--data', data, '--port', new URL(first.url).port, '--metrics-port', 'none'])
    first.kill('SIGTERM')
    expect(code).toBe(1)
    expect(error).toContain('program listens there')
    expect(await first.exited).toBe(0)
  })
})

describe('serve, with storage that many machines share', () => {
  const shared = ['--key', KEY, '--redis', 'redis://:hunter2@127.0.0.1:9', '--s3', 'http://127.0.0.1:9/outputs']
  const env = { PIXPRESS_S3_ACCESS_KEY_ID: 'id', PIXPRESS_S3_SECRET_ACCESS_KEY: 'hunter3' }

  it('exits with 1 when it cannot be reached, and says which part, without a secret', async () => {
    const { code, error } = await ended(shared, env)
    expect(code).toBe(1)
    expect(error).toMatch(/^Redis .*ECONNREFUSED/)
    expect(error).not.toMatch(/hunter/)
  })

  it('exits with 2 without the credentials of the bucket', async () => {
    expect(await ended(shared)).toMatchObject({ code: 2, error: expect.stringMatching(/PIXPRESS_S3_ACCESS_KEY_ID/) })
  })
})

describe('pixpress serve as a process', () => {
  it('started with nothing but a folder: prints a key once with a curl line, and never again', async () => {
    const first = await startServeProcess(['--data', data])
    const { stderr } = first.output()
    const key = /--user api:(\S+) --data-binary @image\.png (\S+)\/shrink/.exec(stderr)!
    expect(key[2]).toBe(first.url)
    const authorization = basic(key[1]!)
    const body = await graphic(24, 16).png()
    expect((await sendRequest('POST', new URL('/shrink', first.url), { authorization, body })).status).toBe(201)
    first.kill('SIGINT')
    expect(await first.exited).toBe(0)
    const second = await startServeProcess(['--data', data])
    expect(
      (await sendRequest('POST', new URL('/shrink', second.url), { authorization })).headers['compression-count'],
    ).toBe('1')
    second.kill('SIGTERM')
    expect(await second.exited).toBe(0)
    const said = [first.output().stdout, second.output().stderr, second.output().stdout].join('')
    expect(said).not.toContain(key[1])
    expect(said).toContain('"event":"request"')
  })

  it('prints the URL of its page with a key that works, at every start, where it made its own key', async () => {
    const body = await graphic(24, 16).png()
    const keys = new Set<string>()
    for (const count of ['1', '2']) {
      const server = await startServeProcess(['--data', data])
      const [, page, key = ''] = /^Page on (\S+)\/#key=(\S+)$/m.exec(server.output().stderr) ?? []
      expect(page).toBe(server.url)
      keys.add(key)
      // Both are keys of one account.
      const answer = await sendRequest('POST', new URL('/shrink', server.url), { authorization: basic(key), body })
      expect([answer.status, answer.headers['compression-count']]).toEqual([201, count])
      server.kill('SIGTERM')
      expect(await server.exited).toBe(0)
      expect(server.output().stdout).not.toContain(key)
    }
    expect(keys.size).toBe(2)
  })

  it('prints no key where keys were given, or a proxy in front lets others in', async () => {
    for (const more of [
      ['--key', KEY],
      ['--public-url', 'https://images.example.org'],
    ]) {
      const server = await startServeProcess(['--data', data, ...more])
      expect(server.output().stderr).not.toContain('#key=')
      server.kill('SIGTERM')
      await server.exited
    }
  })

  it('SIGTERM: /readyz fails first, what is under way is finished, exit 0', async () => {
    const server = await startServeProcess(['--data', data, '--key', KEY, '--drain-delay', '5s'])
    const body = await graphic(24, 16).png()
    const slow = http.request(`${server.url}/shrink`, {
      method: 'POST',
      headers: { Authorization: basic(KEY), 'Content-Length': body.length },
    })
    const answer = new Promise<http.IncomingMessage>((resolve, reject) => {
      slow.once('response', resolve).once('error', reject)
    })
    await new Promise((resolve) => slow.write(body.subarray(0, 10), resolve))
    const url = (target: string): URL => new URL(target, server.url)
    expect((await sendRequest('GET', url('/readyz'))).status).toBe(200)
    server.kill('SIGTERM')
    const ready = await expectDraining(server.url)
    expect([ready.headers['retry-after'], ready.headers.connection]).toEqual(['2', 'close'])
    // Load balancers that have not noticed yet are served.
    const late = await sendRequest('POST', url('/shrink'), { authorization: basic(KEY), body })
    expect(late.status).toBe(201)
    await expect
      .poll(() => sendRequest('GET', url('/healthz')).then(({ status }) => status, String))
      .toMatch(/ECONNREFUSED/)
    slow.end(body.subarray(10))
    const finished = await answer
    finished.resume()
    expect(finished.statusCode).toBe(201)
    expect(await server.exited).toBe(0)
  })

  it('a second signal ends it at once', async () => {
    const server = await startServeProcess(['--data', data, '--drain-delay', '1h'])
    server.kill('SIGTERM')
    await expectDraining(server.url)
    server.kill('SIGTERM')
    expect(await server.exited).toBe(143)
  })

  it('what takes longer than the drain timeout is cut off, exit 1', async () => {
    const onFolder = ['--data', data, '--key', KEY]
    const server = await startServeProcess([...onFolder, '--drain-delay', '1ms', '--drain-timeout', '300ms'])
    const slow = http.request(`${server.url}/shrink`, {
      method: 'POST',
      headers: { Authorization: basic(KEY), 'Content-Length': 1000 },
    })
    slow.on('error', () => undefined)
    slow.write('x')
    await new Promise((resolve) => setTimeout(resolve, 100))
    server.kill('SIGTERM')
    expect(await server.exited).toBe(1)
  })
})
