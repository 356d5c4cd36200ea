import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import path from 'node:path'
import { photo, startCacheServer, naming } from '@pixpress/testkit'
import type { CacheServer } from '@pixpress/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEntrySigner } from '../../../core/src/cache/remote/signature.ts'
import { useFolder } from '../command-line.ts'
import type { Ended } from '../command-line.ts'

const SIGNING_KEY = 'd0e6f1c2b3a4958677685a4b3c2d1e0f'
const env = { PIXPRESS_CACHE_KEY: SIGNING_KEY }
const folder = useFolder()
let server: CacheServer

/** Entries of two images: their results, and notes of what is finished. */
let count: number

const cache = (...args: string[]): Promise<Ended> => folder.run(['cache', ...args], { env })
const json = async (...args: string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await cache(...args, '--json')).stdout) as Record<string, unknown>

beforeEach(async () => {
  server = await startCacheServer()
  await folder.write({
    'a.png': await photo(64, 48).png(),
    'b.jpg': await photo(64, 48, 2).jpeg(),
    'pixpress.config.mjs': `export default { cache: { remote: { service: 'http', endpoint: '${server.endpoint}' } } }`,
  })
  await folder.run(['compress', 'a.png', 'b.jpg', '--out', 'out'], { env })
  count = (await json('stats'))['entries'] as number
})
afterEach(() => server.close())

describe('pixpress cache with a remote', () => {
  it('push sends what the remote lacks, and nothing twice', async () => {
    expect(count).toBeGreaterThan(3)
    expect(server.objects.size).toBe(0)
    expect(await json('push')).toMatchObject({ sent: count, present: 0 })
    expect(server.objects.size).toBe(count)
    expect(await json('push')).toMatchObject({ sent: 0, present: count })
  })

  it('pull fills an empty folder, from which a frozen run takes all', async () => {
    await json('push')
    server.lists = true
    await cache('clear')
    expect(await json('pull')).toMatchObject({ fetched: count, present: 0, refused: 0 })
    expect(await json('pull')).toMatchObject({ fetched: 0, present: count })
    server.trouble = 500
    const frozen = await folder.run(['compress', 'a.png', 'b.jpg', '--out', 'again', '--json'], {
      env: { ...env, PIXPRESS_FROZEN: '1' },
    })
    expect(frozen.code).toBe(0)
    expect(JSON.parse(frozen.stdout)).toMatchObject({ totals: { encoded: 0, cached: 2, failed: 0 } })
  })

  it('pull and verify leave out what is not signed, and verify names it', async () => {
    await json('push')
    server.lists = true
    const [[name, bytes], [other]] = [...server.objects] as [[string, Buffer], [string, Buffer]]
    server.objects.set(other!, bytes)
    await cache('clear')
    expect(await json('pull')).toMatchObject({ fetched: count - 1, refused: 1 })
    const { code, stdout } = await cache('verify', '--remote')
    expect(code).toBe(1)
    expect(stdout).toContain(other.slice(17))
    expect(stdout).not.toContain(name.slice(17))
    expect(await json('stats', '--remote')).toMatchObject({ entries: count })
  })

  it('says of a server that cannot list what it is', async () => {
    const { code, stderr } = await cache('pull')
    expect(code).toBe(1)
    expect(stderr).toEqual(naming(server.endpoint))
  })

  it('ends with one sentence where the server refuses', async () => {
    server.trouble = 403
    const { code, stdout, stderr } = await cache('push')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toEqual(naming(server.endpoint, '403'))
  })

  it('needs a remote and a signing key', async () => {
    const keyless = await folder.run(['cache', 'push'])
    expect(keyless.code).toBe(2)
    expect(keyless.stderr).toContain('PIXPRESS_CACHE_KEY')
    await folder.write({ 'none.mjs': 'export default {}' })
    const { code, stderr } = await cache('push', '--config', 'none.mjs')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: naming("'cache.remote'", 'pixpress.config.ts'),
    })
    expect((await cache('path', '--remote')).stderr).toEqual(naming('--remote', "'pixpress cache stats'"))
  })

  it('leaves nothing wrong when push is killed, whenever that is', async () => {
    const signer = createEntrySigner(SIGNING_KEY)
    await json('push')
    const whole = new Map(server.objects)
    for (let round = 0; round < 6; round++) {
      server.objects.clear()
      const before = server.requests.length
      const bin = path.join(import.meta.dirname, '../../dist/bin.js')
      const child = spawn(process.execPath, [bin, 'cache', 'push'], {
        cwd: folder.path,
        env: { ...process.env, ...env },
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      await expect.poll(() => server.requests.length, { interval: 1 }).toBeGreaterThan(before + round)
      child.kill('SIGKILL')
      await ended
      for (const [name, bytes] of server.objects) {
        expect(whole.get(name)!.equals(bytes)).toBe(true)
        expect(signer.open(name.slice(17), bytes)).toBeDefined()
      }
      await json('push')
      expect([...server.objects.keys()].sort()).toEqual([...whole.keys()].sort())
    }
  })
})

describe('pixpress compress with a frozen cache', () => {
  it('fails for every file that is missing, writes none of them, and says what was asked', async () => {
    await rm(path.join(folder.path, '.cache'), { recursive: true })
    const frozen = await folder.run(['compress', 'a.png', 'b.jpg'], { env: { ...env, PIXPRESS_FROZEN: '1' } })
    expect(frozen.code).toBe(1)
    expect(frozen.stderr).toEqual(naming('2 results', 'a.png', 'b.jpg'))
  })

  it('works from a folder that came with the checkout', async () => {
    await cp(path.join(folder.path, '.cache/pixpress'), path.join(folder.path, 'committed'), { recursive: true })
    await rm(path.join(folder.path, '.cache'), { recursive: true })
    await folder.write({ 'frozen.mjs': `export default { cache: { dir: 'committed', mode: 'frozen' } }` })
    const { code, stdout } = await folder.run(['compress', 'a.png', 'b.jpg', '--json', '--config', 'frozen.mjs'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ totals: { encoded: 0, cached: 2 } })
  })

  it('encodes nothing without a cache either', async () => {
    const frozen = await folder.run(['compress', 'a.png', '--no-cache', '--out', 'other'], {
      env: { PIXPRESS_FROZEN: '1' },
    })
    expect(frozen.code).toBe(1)
    expect(frozen.stderr).toContain('in the cache')
    expect(await folder.files()).not.toContain('other/a.png')
  })

  it('refuses a value of the variable that says neither', async () => {
    const { code, stderr } = await folder.run(['compress', 'a.png'], { env: { ...env, PIXPRESS_FROZEN: 'yes' } })
    expect(code).toBe(2)
    expect(stderr).toEqual(naming("'1'", "'0'", "'PIXPRESS_FROZEN'", "'yes'"))
  })
})
