import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { cacheStoreContract, startCacheServer, naming } from '@pixpress/testkit'
import type { CacheServer } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packEntry } from '../../../src/cache/entry.ts'
import { createFileCache } from '../../../src/cache/file-store.ts'
import { openCache } from '../../../src/cache/layers/open-cache.ts'
import type { OpenCacheOptions } from '../../../src/cache/layers/open-cache.ts'
import { createEntrySigner } from '../../../src/cache/remote/signature.ts'
import type { CacheStore } from '../../../src/cache/store.ts'

const run = promisify(execFile)

const SIGNING_KEY = 'a signing key of more than thirty-two characters'
const OTHER_SIGNING_KEY = 'another signing key, also of more than thirty-two'
const KEYS = Array.from({ length: 12 }, (_, index) => index.toString(16).padStart(64, '0'))
const [KEY, OTHER_KEY] = KEYS as [string, string]
const ENTRY = { meta: { info: 1 }, data: new Uint8Array([1, 2, 3]) }
const signer = createEntrySigner(SIGNING_KEY)
const nameOf = (key: string): string => `${signer.id}/${key}`

let server: CacheServer
let folder: string
let warnings: string[]

beforeEach(async () => {
  server = await startCacheServer()
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-layers-'))
  warnings = []
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** A machine's cache, over a folder of its own. */
function open(machine: string, options: Partial<OpenCacheOptions> = {}): CacheStore {
  return openCache({
    dir: path.join(folder, machine),
    remote: { service: 'http', endpoint: server.endpoint, signingKey: SIGNING_KEY },
    mode: 'readwrite',
    onWarning: (message) => warnings.push(message),
    ...options,
  })
}

const layered = (mode: 'readwrite' | 'read', hasRemote: boolean) => async () => {
  const own = hasRemote ? await startCacheServer() : undefined
  const dir = await mkdtemp(path.join(os.tmpdir(), 'pixpress-layers-'))
  return {
    store: openCache({
      dir,
      mode,
      remote: own && { service: 'http', endpoint: own.endpoint, signingKey: SIGNING_KEY },
    }),
    async cleanup() {
      await own?.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

cacheStoreContract('A folder with a remote that is written', layered('readwrite', true))
cacheStoreContract('A folder with a remote that is read', layered('read', true))
cacheStoreContract('A folder that is only read', layered('read', false))

describe('a cache with a remote', () => {
  it('gives one machine what another has made', async () => {
    const first = open('first')
    await first.set(KEY, ENTRY)
    await first.close?.()
    expect([...server.objects.keys()]).toEqual([nameOf(KEY)])
    const second = open('second', { mode: 'read' })
    expect(await second.get(KEY)).toEqual(ENTRY)
    expect(await createFileCache({ dir: path.join(folder, 'second') }).get(KEY)).toEqual(ENTRY)
    expect(warnings).toEqual([])
  })

  it('asks the remote once for what it keeps then', async () => {
    server.objects.set(nameOf(KEY), Buffer.from(signer.seal(KEY, ENTRY)))
    const cache = open('one')
    await cache.get(KEY)
    await cache.get(KEY)
    expect(server.requests).toEqual([`GET ${nameOf(KEY)}`])
  })

  it('never sends anything unless it may', async () => {
    for (const mode of ['read', 'frozen'] as const) {
      const cache = open(mode, { mode })
      await cache.get(KEY)
      await cache.set(KEY, ENTRY)
      await cache.close?.()
    }
    expect(server.objects.size).toBe(0)
    expect(server.requests.every((request) => request.startsWith('GET'))).toBe(true)
  })

  it.each([true, false])('replaces nothing, where the server knows conditions: %s', async (knows) => {
    server.knowsConditions = knows
    server.objects.set(nameOf(KEY), Buffer.from('what was there'))
    const cache = open('one')
    await cache.set(KEY, ENTRY)
    await cache.close?.()
    expect(server.objects.get(nameOf(KEY))!.toString()).toBe('what was there')
  })

  it.each<[string, () => Uint8Array]>([
    ['poisoned', () => Buffer.concat([signer.seal(KEY, ENTRY).subarray(0, -1), Buffer.from([4])])],
    ['truncated', () => signer.seal(KEY, ENTRY).subarray(0, -1)],
    ['empty', () => new Uint8Array()],
    ['swapped', () => signer.seal(OTHER_KEY, ENTRY)],
    ['unsigned', () => packEntry(KEY, ENTRY)],
    ['wrongly signed', () => createEntrySigner(OTHER_SIGNING_KEY).seal(KEY, ENTRY)],
  ])('never uses an entry that is %s', async (_, make) => {
    server.objects.set(nameOf(KEY), Buffer.from(make()))
    const cache = open('one')
    expect(await cache.get(KEY)).toBeUndefined()
    expect((await createFileCache({ dir: path.join(folder, 'one') }).stats()).entries).toBe(0)
    expect(warnings).toEqual([expect.stringContaining(KEY)])
    expect(warnings.join()).not.toContain(SIGNING_KEY)
  })

  it('keeps the entries of two signing keys apart', async () => {
    for (const [machine, signingKey] of [
      ['one', SIGNING_KEY],
      ['two', OTHER_SIGNING_KEY],
    ] as const) {
      const remote = { service: 'http', endpoint: server.endpoint, signingKey } as const
      const cache = open(machine, { remote })
      expect(await cache.get(KEY)).toBeUndefined()
      await cache.set(KEY, ENTRY)
      await cache.close?.()
    }
    expect(server.objects.size).toBe(2)
    expect(warnings).toEqual([])
  })

  it.each([401, 403, 500, 503, 302])('is left after three answers of %d, with one warning', async (status) => {
    server.trouble = status
    const cache = open('one')
    for (const key of KEYS) expect(await cache.get(key)).toBeUndefined()
    expect(server.requests).toHaveLength(3)
    await cache.set(KEY, ENTRY)
    await cache.close?.()
    expect(await cache.get(KEY)).toEqual(ENTRY)
    expect(server.requests).toHaveLength(3)
    expect(warnings).toEqual([expect.stringContaining(`answered ${status}`)])
  })

  it('is left when it is silent, and fails nothing', async () => {
    server.trouble = 'silence'
    const cache = open('one')
    expect(await Promise.all(KEYS.map((key) => cache.get(key)))).toEqual(KEYS.map(() => undefined))
    const asked = server.requests.length
    expect(await cache.get(KEY)).toBeUndefined()
    expect(server.requests).toHaveLength(asked)
    expect(warnings).toEqual([expect.stringContaining('1 s')])
    await cache.close?.()
  })

  it('says once what could not be sent in time, and ends', async () => {
    const cache = open('one')
    await cache.get(KEY)
    server.trouble = 'silence'
    for (const key of KEYS) await cache.set(key, ENTRY)
    await cache.close?.()
    expect(warnings).toEqual([naming(KEYS.length)])
    // The next build does not send it either.
    server.trouble = undefined
    await cache.close?.()
    expect(server.objects.size).toBe(0)
  })

  it('asks again in the next build', async () => {
    server.trouble = 500
    const cache = open('one')
    for (const key of KEYS) await cache.get(key)
    await cache.close?.()
    server.trouble = undefined
    server.objects.set(nameOf(KEY), Buffer.from(signer.seal(KEY, ENTRY)))
    expect(await cache.get(KEY)).toEqual(ENTRY)
  })

  it('is away without a server, and fails nothing', async () => {
    const away = await startCacheServer()
    await away.close()
    const cache = open('one', { remote: { service: 'http', endpoint: away.endpoint, signingKey: SIGNING_KEY } })
    for (const key of KEYS) expect(await cache.get(key)).toBeUndefined()
    await cache.set(KEY, ENTRY)
    expect(await cache.get(KEY)).toEqual(ENTRY)
    await cache.close?.()
    expect(warnings).toEqual([expect.stringContaining('ECONNREFUSED')])
  })

  it('sends its credentials to the server alone, and shows them nowhere', async () => {
    const key = 'api-key-of-the-server'
    const cache = open('one', { remote: { service: 'http', endpoint: server.endpoint, key, signingKey: SIGNING_KEY } })
    await cache.get(KEY)
    server.trouble = 500
    for (const each of KEYS) await cache.get(each)
    expect(server.credentials[0]).toBe(`Basic ${Buffer.from(`api:${key}`).toString('base64')}`)
    expect(warnings.join()).not.toContain(key)
  })
})

describe('a folder to be committed', () => {
  it('has Git take its entries and nothing else', async () => {
    const git = (...args: string[]): Promise<{ stdout: string }> => run('git', args, { cwd: folder })
    await git('init', '--quiet')
    const dir = path.join(folder, 'committed')
    const cache = openCache({ dir, gitIgnored: 'others' })
    await cache.set(KEY, ENTRY)
    await mkdir(path.join(dir, 'files/x'), { recursive: true })
    await writeFile(path.join(dir, 'files/x/a.png'), 'made again')
    await writeFile(path.join(dir, 'v1/00', `${KEY}.1.ab.tmp`), 'half')
    const { stdout } = await git('status', '--porcelain', '--untracked-files=all')
    expect(stdout).toBe(`?? committed/.gitignore\n?? committed/v1/00/${KEY}\n`)
  })
})

describe('a folder that is only read', () => {
  it('stays as it is, and the process still remembers', async () => {
    const dir = path.join(folder, 'committed')
    await createFileCache({ dir }).set(KEY, ENTRY)
    const cache = openCache({ dir, mode: 'read' })
    expect(await cache.get(KEY)).toEqual(ENTRY)
    await cache.set(OTHER_KEY, ENTRY)
    await cache.close?.()
    expect(await cache.get(OTHER_KEY)).toEqual(ENTRY)
    expect((await createFileCache({ dir }).stats()).entries).toBe(1)
  })
})
