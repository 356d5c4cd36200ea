import { readdir } from 'node:fs/promises'
import { requireTool, startRadosgw, startRedis, useTemporaryFolder } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { keysCommand } from '../src/index.ts'
import { outputsBucket, sharedSettings } from './support/bucket.ts'
import { basic, startTestServer } from './support/server.ts'
import type { TestServer } from './support/server.ts'

const folder = useTemporaryFolder()
const installed = (['redis-server', 'radosgw', 'ceph-osd'] as const).every((tool) => requireTool(tool) !== undefined)

/** Runs `pixpress keys`, and returns its answer as JSON. */
async function keys<T>(...argv: string[]): Promise<T> {
  let out = ''
  await keysCommand([...argv, '--json'], { cwd: folder.path, env: {}, out: (text) => void (out += text) })
  return JSON.parse(out) as T
}

const statusOf = async (server: TestServer, key: string): Promise<number> =>
  (await server.send('GET', '/usage', { authorization: basic(key) })).status

describe('a server that was given no key', () => {
  it('makes none where a command has added one before', async () => {
    const data = folder.path
    const { key } = await keys<{ key: string }>('add', 'shop', '--data', data)
    const server = await startTestServer({ key: '', data })
    expect([server.running.ownKey, server.running.pageUrl]).toEqual([undefined, undefined])
    expect(await statusOf(server, key)).toBe(200)
    expect(await readdir(data)).not.toContain('key')
    await server.stop()
  })

  it('keeps the one that it has made when a command adds others', async () => {
    const data = folder.path
    const first = await startTestServer({ key: '', data })
    const own = first.running.ownKey!.made!
    const { key } = await keys<{ key: string }>('add', 'shop', '--data', data)
    expect([await statusOf(first, own), await statusOf(first, key)]).toEqual([200, 200])
    await first.stop()
    const second = await startTestServer({ key: '', data })
    expect([await statusOf(second, own), await statusOf(second, key)]).toEqual([200, 200])
    expect(second.log.some(({ event }) => event === 'no key')).toBe(false)
    await second.stop()
  })

  it.skipIf(!installed)(
    'waits for a command where it shares Redis, and all machines see a change at once',
    async () => {
      const [redis, radosgw] = [await startRedis(), await startRadosgw()]
      const { given, env } = sharedSettings(redis.url, await outputsBucket(radosgw))
      const servers = await Promise.all([1, 2].map(() => startTestServer({ ...given, key: '' }, env)))
      try {
        const statuses = (key: string): Promise<number[]> => Promise.all(servers.map((server) => statusOf(server, key)))
        expect(servers[0]!.log).toContainEqual(expect.objectContaining({ level: 'warn', event: 'no key' }))
        const { id, key } = await keys<{ id: string; key: string }>('add', 'shop', '--redis', redis.url)
        expect(await statuses(key)).toEqual([200, 200])
        await keys('limit', id, '--rate', '1/h', '--redis', redis.url)
        expect((await statuses(key)).toSorted()).toEqual([200, 429])
        await keys('revoke', id, '--redis', redis.url)
        expect(await statuses(key)).toEqual([401, 401])
      } finally {
        for (const server of servers) await server.stop()
        await redis.stop()
        await radosgw.stop()
      }
    },
  )
})
