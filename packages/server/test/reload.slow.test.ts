import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { createTestAuthority, graphic, naming, failure } from '@pixpress/testkit'
import type { TestAuthority } from '@pixpress/testkit'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keysCommand, resolveSettings } from '../src/index.ts'
import { sendRequest } from './support/http.ts'
import type { Answer } from './support/http.ts'
import { basic, startTestServer } from './support/server.ts'
import { killServeProcesses, startServeProcess } from './support/serve-process.ts'
import type { ServeProcess } from './support/serve-process.ts'

let authorities: [TestAuthority, TestAuthority]
let ca: string
let image: Buffer
let folder: string

beforeAll(async () => {
  authorities = await Promise.all([createTestAuthority(), createTestAuthority()])
  ca = authorities.map((authority) => authority.ca).join('\n')
  image = await graphic(24, 16).png()
})
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-reload-'))
})
afterEach(async () => {
  killServeProcesses()
  await rm(folder, { recursive: true, force: true })
})

const file = (name: string): string => path.join(folder, name)

async function certify({ server }: TestAuthority): Promise<void> {
  await writeFile(file('cert.pem'), server.cert)
  await writeFile(file('key.pem'), server.key)
}

/** Runs `pixpress keys` beside the server. */
async function keys(...argv: string[]): Promise<string> {
  let out = ''
  await keysCommand([...argv, '--data', folder, '--json'], { cwd: folder, env: {}, out: (text) => void (out += text) })
  return out
}

const addKey = async (name: string): Promise<string> => (JSON.parse(await keys('add', name)) as { key: string }).key

async function startEncrypted(): Promise<ServeProcess> {
  await certify(authorities[0])
  const files = ['--keys-file', file('keys.txt'), '--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')]
  return startServeProcess(['--data', folder, '--rate', 'none', ...files])
}

/** Sends SIGHUP, and returns the line that the server says of it. */
async function hangUp(server: ServeProcess): Promise<string> {
  const before = server.output().stderr.length
  server.kill('SIGHUP')
  const said = (): string => server.output().stderr.slice(before)
  await expect.poll(said).toMatch(/eloaded.*\n/)
  return said().trim()
}

/** The certificate that a new connection is shown. */
function shownCertificate(url: string): Promise<string> {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host, port: Number(port), ca }, () => {
      resolve(socket.getPeerX509Certificate()!.toString())
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

const shrink = (server: ServeProcess, key: string): Promise<Answer> =>
  sendRequest('POST', new URL('/shrink', server.url), { authorization: basic(key), body: image, ca })

/** A client that uploads one image after the other, half of them on a connection of its own that it keeps. */
interface Client {
  /** Statuses so far. */
  readonly statuses: number[]
  readonly ended: Promise<void>
}

function startClient(server: ServeProcess, key: string, isKept: boolean, goesOn: () => boolean): Client {
  const statuses: number[] = []
  const agent = new https.Agent({ keepAlive: isKept, ca, maxSockets: 1 })
  const upload = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: basic(key), 'Content-Length': image.length }
      const request = https.request(new URL('/shrink', server.url), { method: 'POST', headers, agent }, (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode!)).once('error', reject)
      })
      request.once('error', reject)
      // In two pieces, so that a change may come between them.
      request.write(image.subarray(0, 20))
      setImmediate(() => request.end(image.subarray(20)))
    })
  async function run(): Promise<void> {
    while (goesOn() && !statuses.includes(401)) statuses.push(await upload())
    agent.destroy()
  }
  return { statuses, ended: run() }
}

/** Waits until every client has so many more answers. */
async function uploaded(clients: readonly Client[], more: number): Promise<void> {
  const before = clients.map(({ statuses }) => statuses.length)
  const fewest = (): number => Math.min(...clients.map(({ statuses }, i) => statuses.length - before[i]!))
  await expect.poll(fewest).toBeGreaterThanOrEqual(more)
}

describe.skipIf(process.platform === 'win32')('SIGHUP', () => {
  it('and commands change keys and certificate under 20 uploading clients: only the revoked key is refused', async () => {
    await writeFile(file('keys.txt'), 'shop=key-in-the-file\n')
    const server = await startEncrypted()
    const [stored, revoked] = [await addKey('stored'), await addKey('gone')]
    let goesOn = true
    const start = (key: string) => (_: unknown, index: number) =>
      startClient(server, key, index % 2 === 0, () => goesOn)
    const faithful = [
      ...Array.from({ length: 8 }, start('key-in-the-file')),
      ...Array.from({ length: 8 }, start(stored)),
    ]
    const leaving = Array.from({ length: 4 }, start(revoked))
    await uploaded([...faithful, ...leaving], 1)

    // A key that a command adds is right at once, without a signal.
    expect((await shrink(server, await addKey('late'))).status).toBe(201)

    await certify(authorities[1])
    await writeFile(file('keys.txt'), '* monthly-limit=100000\nshop=key-in-the-file\nblog=new-in-the-file\n')
    const said = await hangUp(server)
    expect(said).toMatch(/^Reloaded: keys: 1 added; monthly limit: 100000; certificate: valid to .+\.$/)
    expect(await shownCertificate(server.url)).toBe(authorities[1].server.cert)
    expect((await shrink(server, 'new-in-the-file')).status).toBe(201)
    await uploaded([...faithful, ...leaving], 1)

    await keys('revoke', 'gone')
    expect((await shrink(server, revoked)).status).toBe(401)
    await Promise.all(leaving.map(({ ended }) => ended))
    await uploaded(faithful, 1)
    goesOn = false
    await Promise.all(faithful.map(({ ended }) => ended))

    expect([...new Set(faithful.flatMap(({ statuses }) => statuses))]).toEqual([201])
    for (const { statuses } of leaving) expect(statuses).toEqual([...statuses.slice(1).map(() => 201), 401])
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
    const { stderr, stdout } = server.output()
    for (const key of ['key-in-the-file', 'new-in-the-file', stored, revoked])
      expect(stderr + stdout).not.toContain(key)
    expect(stdout).toContain('"event":"reloaded"')
  })

  it('leaves an upload alone whose key is taken away while it arrives', async () => {
    await writeFile(file('keys.txt'), 'shop=one\nblog=two\n')
    const server = await startEncrypted()
    const headers = { Authorization: basic('two'), 'Content-Length': image.length }
    const slow = https.request(new URL('/shrink', server.url), { method: 'POST', headers, ca, agent: false })
    const answer = new Promise<number>((resolve, reject) => {
      slow.once('response', (response) => resolve(response.resume().statusCode!)).once('error', reject)
    })
    // The server asks for the body once it knows the key.
    slow.setHeader('Expect', '100-continue')
    slow.flushHeaders()
    await new Promise((resolve) => slow.once('continue', resolve))
    await writeFile(file('keys.txt'), 'shop=one monthly-limit=5\n')
    expect(await hangUp(server)).toBe('Reloaded: keys: 1 removed, 1 changed.')
    expect((await shrink(server, 'two')).status).toBe(401)
    slow.end(image)
    expect(await answer).toBe(201)
    expect(await hangUp(server)).toContain('nothing has changed')
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
  })

  it('keeps everything as it was where a file is faulty, and says which line', async () => {
    await writeFile(file('keys.txt'), 'shop=one\n')
    const server = await startEncrypted()
    await writeFile(file('keys.txt'), 'blog=two\nshop=one rats=5/s\n')
    const kept = 'Not reloaded, everything stays as it was: '
    const faulty = `${kept}Unknown word before '=' in line 2 of ${file('keys.txt')}. Did you mean 'rate'?`
    expect(await hangUp(server)).toBe(faulty)
    expect((await shrink(server, 'two')).status).toBe(401)

    // A certificate whose key has not been written yet.
    await writeFile(file('keys.txt'), 'blog=two\n')
    await writeFile(file('cert.pem'), authorities[1].server.cert)
    expect(await hangUp(server)).toEqual(naming("'--tls-cert'", "'--tls-key'"))
    expect(await shownCertificate(server.url)).toBe(authorities[0].server.cert)
    expect([(await shrink(server, 'one')).status, (await shrink(server, 'two')).status]).toEqual([201, 401])

    await rm(file('keys.txt'))
    expect(await hangUp(server)).toEqual(naming(kept, "'--keys-file'", file('keys.txt')))
    await writeFile(file('keys.txt'), 'blog=two\n')
    await certify(authorities[1])
    expect(await hangUp(server)).toMatch(/^Reloaded: keys: 1 added, 1 removed; certificate: /)
    expect([(await shrink(server, 'one')).status, (await shrink(server, 'two')).status]).toEqual([401, 201])
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
  })
})

describe('reload', () => {
  it('takes limits from other settings, keeps the keys that the server has made, and begins no encryption', async () => {
    const server = await startTestServer({ key: '' })
    try {
      const authorization = basic(server.running.ownKey!.made!)
      const usage = async () => (await server.send('GET', '/usage', { authorization })).json()
      expect(await usage()).toMatchObject({ limit: null, rate: null })
      const given = { data: server.folder, rate: '7/min', 'monthly-limit': '3' }
      expect(server.running.reload(resolveSettings(given))).toBe('monthly limit: 3; rate: 7/min')
      expect(await usage()).toMatchObject({ limit: 3, rate: { requests: 7, seconds: 60 } })
      await certify(authorities[0])
      const encrypted = resolveSettings({ ...given, 'tls-cert': file('cert.pem'), 'tls-key': file('key.pem') })
      expect(() => server.running.reload(encrypted)).toThrow(failure('INVALID_OPTION', 'end to encrypt'))
    } finally {
      await server.stop()
    }
  })
})
