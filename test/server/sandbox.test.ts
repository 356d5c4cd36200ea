import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, readlink, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { freePort, photo, requireTool, serverNode } from '@pixpress/testkit'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { findSandbox } from '../../packages/core/dist/engines/local/sandbox.js'

const COMMAND = path.resolve(import.meta.dirname, '../../packages/cli/dist/bin.js')
const KEY = 'planted-key-of-an-account'
const SECRETS = { AWS_SECRET_ACCESS_KEY: 'planted-amazon', PIXPRESS_S3_SECRET_ACCESS_KEY: 'planted-bucket' }

requireTool('bwrap')
const found = findSandbox()
const reason = found.sandbox === undefined ? ` (skipped: ${found.reason})` : ''

const data = await mkdtemp(path.join(os.tmpdir(), 'pixpress-sandbox-'))
afterAll(() => rm(data, { recursive: true, force: true }))

const running = new Set<ChildProcess>()
afterEach(async () => {
  await Promise.all([...running].map(stop))
})

interface Server {
  readonly url: string
  readonly process: ChildProcess
  /** The lines of its log. */
  readonly log: Readonly<Record<string, unknown>>[]
}

/** Starts `pixpress serve` as built. Resolves when it listens. */
async function start(flags: readonly string[]): Promise<Server> {
  const port = await freePort()
  const args = [
    'serve',
    '--port',
    `${port}`,
    '--data',
    data,
    '--metrics-port',
    'none',
    '--drain-delay',
    '1ms',
    ...flags,
  ]
  const env = { ...process.env, ...SECRETS, PIXPRESS_KEYS: KEY }
  const child = spawn(serverNode(), [COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let written = ''
  child.stdout.on('data', (piece: Buffer) => (written += piece.toString()))
  await expect.poll(() => written).toContain('"listening"')
  const lines = (): Record<string, unknown>[] =>
    written
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    get log() {
      return lines()
    },
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
  running.delete(child)
}

/** Compresses an image, and returns its bytes. */
async function compress({ url }: Server, image: Buffer): Promise<Buffer> {
  const headers = { authorization: `Basic ${Buffer.from(`api:${KEY}`).toString('base64')}` }
  const answer = await fetch(`${url}/shrink`, { method: 'POST', headers, body: new Uint8Array(image) })
  expect(answer.status).toBe(201)
  const made = await fetch(answer.headers.get('location')!, { headers })
  return Buffer.from(await made.arrayBuffer())
}

/** Process ids of a process and of all that it has started, the first one first. */
async function family(id: number): Promise<number[]> {
  const children = await readFile(`/proc/${id}/task/${id}/children`, 'utf8')
  const ids = children.split(' ').filter(Boolean).map(Number)
  return [id, ...(await Promise.all(ids.map(family))).flat()]
}

const environment = (id: number): Promise<string> => readFile(`/proc/${id}/environ`, 'utf8')
const network = (id: number): Promise<string> => readlink(`/proc/${id}/ns/net`)

const image = await photo(320, 240).jpeg(97)

describe.skipIf(found.sandbox === undefined)(`pixpress serve --sandbox auto${reason}`, () => {
  it('decodes without network, disk and secrets, to the bytes that it makes without a sandbox', async () => {
    const plain = await start(['--sandbox', 'none'])
    const expected = await compress(plain, image)
    expect(plain.log[0]).toMatchObject({ event: 'sandbox', decoders: expect.stringContaining('of the server') })
    await stop(plain.process)

    const server = await start([])
    expect(server.log[0]).toMatchObject({ event: 'sandbox', decoders: expect.stringMatching(/^bubblewrap \d/) })
    expect((await compress(server, image)).equals(expected)).toBe(true)
    const [own, ...decoders] = await family(server.process.pid!)
    expect(await environment(own!)).toContain('planted-amazon')
    expect(decoders.length).toBeGreaterThan(1)
    for (const id of decoders) expect(await environment(id)).not.toContain('planted')
    const innermost = decoders.at(-1)!
    expect(await network(innermost)).not.toBe(await network(own!))
    const mounts = (await readFile(`/proc/${innermost}/mountinfo`, 'utf8')).trim().split('\n')
    // Fields of proc_pid_mountinfo(5): the fifth is the place, the sixth how it is mounted.
    const writable = mounts.map((line) => line.split(' ')).filter(([, , , , , how]) => !how!.split(',').includes('ro'))
    expect(writable.map(([, , , , place]) => place).filter((place) => !place!.startsWith('/dev/'))).toEqual(['/tmp'])
    expect(mounts.join('\n')).not.toContain(` ${data}`)
  })

  it('serves on after the process of the decoders was killed', async () => {
    const server = await start([])
    const first = await compress(server, image)
    const decoders = (await family(server.process.pid!)).slice(1)
    process.kill(decoders.at(-1)!, 'SIGKILL')
    expect((await compress(server, image)).equals(first)).toBe(true)
    expect(await family(server.process.pid!)).not.toContain(decoders.at(-1))
  })
})

describe('pixpress serve where there is no sandbox', () => {
  it('says so once, and still keeps its secrets from the process that decodes', async () => {
    const { PATH } = process.env
    process.env.PATH = path.join(data, 'no-such-folder')
    const server = await start([]).finally(() => {
      process.env.PATH = PATH
    })
    expect(server.log.filter(({ event }) => event === 'no sandbox')).toEqual([
      expect.objectContaining({ level: 'warn', reason: expect.stringMatching(/^bubblewrap/) }),
    ])
    await compress(server, image)
    if (process.platform === 'linux') {
      const [, decoder] = await family(server.process.pid!)
      expect(await environment(decoder!)).not.toContain('planted')
    }
  })
})
