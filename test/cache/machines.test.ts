import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { store } from '@pixpress/core'
import type { S3StoreOptions } from '@pixpress/core'
import { loadCacheTransfer } from '@pixpress/core/internal'
import type { ResolvedCacheRemote } from '@pixpress/core/internal'
import {
  WORKSPACE,
  endDaemon,
  makeBucket,
  requireTool,
  serverNode,
  startCacheServer,
  startRadosgw,
  naming,
} from '@pixpress/testkit'
import type { CacheServer, Project, Radosgw } from '@pixpress/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { build, buildOrThrow, readOutput } from '../contract/build.ts'
import type { Bundler } from '../contract/capabilities.ts'
import { leaks } from '../remote/secrets.ts'
import { SIGNING_KEY, checkOut, entriesOf } from './machines.ts'

const KEYED = { env: { PIXPRESS_CACHE_KEY: SIGNING_KEY } }
const FROZEN = { env: { ...KEYED.env, PIXPRESS_FROZEN: '1' } }

const installed = requireTool('radosgw') !== undefined && requireTool('ceph-osd') !== undefined
let gateway: Radosgw | undefined
let server: CacheServer
let dataFolder: string
const checkouts: Project[] = []

beforeAll(async () => {
  dataFolder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-serve-'))
  await startServe(dataFolder)
  if (!installed) return
  gateway = await startRadosgw()
  await makeBucket(gateway, 'results')
  // The first object of all takes the gateway seconds, and a build gives it one.
  await store({ data: Buffer.from('x'), info: { type: 'text/plain' } }, { ...bucket('first/object') })
}, 120_000)
afterAll(async () => {
  if (served !== undefined) await endDaemon(served)
  await rm(dataFolder, { recursive: true, force: true })
  await gateway?.stop()
})
beforeEach(async () => {
  server = await startCacheServer()
})
afterEach(async () => {
  gateway?.resume()
  await server.close()
  for (const each of checkouts.splice(0)) await each.dispose()
})

async function machine(name: string): Promise<Project> {
  const made = await checkOut(`machines-${name}`)
  checkouts.push(made)
  return made
}

const http = (): object => ({ service: 'http', endpoint: server.endpoint })
const bucket = (folder: string): Omit<S3StoreOptions, 'acl'> => ({
  service: 's3',
  path: `results/${folder}`,
  region: 'us-east-1',
  endpoint: gateway!.endpoint,
  aws_access_key_id: gateway!.accessKeyId,
  aws_secret_access_key: gateway!.secretAccessKey,
})

interface Case {
  readonly name: string
  readonly bundler: Bundler
  readonly isThere: boolean
  readonly remote: () => object
}

const API_KEY = 'api-key-that-nobody-may-see'
let served: ChildProcess | undefined
let servedUrl: string

/** `pixpress serve` in a process of its own, on the Node that it needs. */
async function startServe(folder: string): Promise<void> {
  const bin = path.join(WORKSPACE, 'packages/cli/dist/bin.js')
  const args = [bin, 'serve', '--port', '0', '--metrics-port', 'none', '--data', folder]
  served = spawn(serverNode(), args, {
    env: { ...process.env, PIXPRESS_KEYS: API_KEY },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    served!.stderr!.on('data', (chunk) => {
      said += String(chunk)
      servedUrl = /^Serving on (\S+)$/m.exec(said)?.[1] ?? ''
      if (servedUrl !== '') resolve()
    })
    served!.once('exit', () => reject(new Error(`The server ended: ${said}`)))
  })
}

const CASES: readonly Case[] = [
  {
    name: 'a server of pixpress',
    bundler: 'rollup',
    isThere: true,
    remote: () => ({ service: 'http', endpoint: `${servedUrl}/cache`, key: API_KEY }),
  },
  { name: 'a bucket', bundler: 'vite', isThere: installed, remote: () => bucket('two') },
  { name: 'an HTTP store', bundler: 'esbuild', isThere: true, remote: http },
]

describe.each(CASES.filter(({ isThere }) => isThere))('two machines with $name', ({ bundler, remote }) => {
  it('encode once: the second build encodes nothing and writes the same', async () => {
    const first = await machine('first')
    const second = await machine('second')
    const made = await buildOrThrow(first, bundler, { cache: { remote: remote(), mode: 'readwrite' } }, KEYED)
    expect(made.report!.totals).toMatchObject({ images: 3, encoded: 3 })
    // A busy machine may not have sent everything in the build's one second.
    const { pushCache } = await loadCacheTransfer()
    await pushCache({
      dir: first.path('.cache/pixpress'),
      remote: { ...remote(), signingKey: SIGNING_KEY } as ResolvedCacheRemote,
      signal: new AbortController().signal,
    })
    const frozen = await buildOrThrow(second, bundler, { cache: { remote: remote() } }, FROZEN)
    expect(frozen.report!.totals).toMatchObject({ images: 3, encoded: 0, cached: 3 })
    const [one, other] = [await readOutput(first), await readOutput(second)]
    expect([...other.keys()].sort()).toEqual([...one.keys()].sort())
    for (const [name, bytes] of one) expect(other.get(name)!.equals(bytes), name).toBe(true)
    for (const { stdout, stderr } of [made.process, frozen.process]) {
      for (const secret of [SIGNING_KEY, API_KEY]) {
        expect(await leaks(secret, first, { stdout, stderr })).toEqual([])
      }
      if (gateway !== undefined) expect(await leaks(gateway.secretAccessKey, second, { stdout, stderr })).toEqual([])
    }
  })
})

describe('a remote that is poisoned', () => {
  it('changes no build, and is named once', async () => {
    const honest = await machine('honest')
    await buildOrThrow(honest, 'vite', { cache: { remote: http(), mode: 'readwrite' } }, KEYED)
    const whole = [...server.objects]
    const spoil: ((bytes: Buffer, index: number) => Buffer)[] = [
      (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])]),
      (bytes) => bytes.subarray(0, bytes.length / 2),
      (_, index) => whole[(index + 1) % whole.length]![1],
    ]
    for (const each of spoil) {
      whole.forEach(([name, bytes], index) => server.objects.set(name, each(bytes, index)))
      const victim = await machine('victim')
      const built = await buildOrThrow(victim, 'vite', { cache: { remote: http() } }, KEYED)
      expect(built.report!.totals).toMatchObject({ encoded: 3 })
      expect(built.process.stderr.match(/has not signed/g)).toHaveLength(1)
      for (const [name, bytes] of await readOutput(honest)) {
        expect((await readOutput(victim)).get(name)!.equals(bytes), name).toBe(true)
      }
    }
  })

  it('is as good as empty with another signing key', async () => {
    await buildOrThrow(await machine('one'), 'vite', { cache: { remote: http(), mode: 'readwrite' } }, KEYED)
    const other = { env: { PIXPRESS_CACHE_KEY: SIGNING_KEY.toUpperCase() } }
    const built = await buildOrThrow(await machine('two'), 'vite', { cache: { remote: http() } }, other)
    expect(built.report!.totals).toMatchObject({ encoded: 3 })
  })
})

describe('a remote that goes away', () => {
  it.skipIf(!installed)('stops in the middle of a build, which ends well with one warning', async () => {
    const remote = bucket('stopped')
    await buildOrThrow(await machine('first'), 'vite', { cache: { remote, mode: 'readwrite' } }, KEYED)
    const second = await machine('second')
    const building = build(second, 'vite', { cache: { remote, mode: 'readwrite' } }, KEYED)
    gateway!.pause()
    const built = await building
    expect(built.error).toBeUndefined()
    expect(built.report!.totals.images).toBe(3)
    expect(built.process.stderr.match(/pixpress: The remote cache is left/g)).toHaveLength(1)
  })

  it('falls silent after its first answer, and the build ends well with one warning', async () => {
    const first = await machine('first')
    await buildOrThrow(first, 'vite', { cache: { remote: http(), mode: 'readwrite' } }, KEYED)
    const before = server.requests.length
    server.silentAfter = before + 1
    const second = await machine('second')
    const built = await buildOrThrow(second, 'vite', { cache: { remote: http(), mode: 'readwrite' } }, KEYED)
    expect(built.report!.totals).toMatchObject({ images: 3, cached: 1, encoded: 2 })
    expect(built.process.stderr.match(/pixpress: The remote cache is left/g)).toHaveLength(1)
    for (const [name, bytes] of await readOutput(first)) {
      expect((await readOutput(second)).get(name)!.equals(bytes), name).toBe(true)
    }
  })

  it('fails a frozen build that needs it', async () => {
    server.trouble = 503
    const refused = await build(await machine('one'), 'vite', { cache: { remote: http() } }, FROZEN)
    expect(refused.ok).toBe(false)
    expect(refused.error).toContain('3 results are missing')
    expect(refused.report).toBeUndefined()
  })
})

describe('a remote without a signing key', () => {
  it('is refused where it is written', async () => {
    const one = await machine('one')
    const refused = await build(one, 'vite', { cache: { remote: http() } }, { env: { PIXPRESS_CACHE_KEY: '' } })
    expect(refused.ok).toBe(false)
    expect(refused.error).toEqual(naming("'cache.remote'", 'PIXPRESS_CACHE_KEY'))
    expect(await entriesOf(one)).toEqual([])
  })
})
