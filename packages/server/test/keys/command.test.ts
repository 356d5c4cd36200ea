import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { requireTool, startRedis, naming, failure } from '@pixpress/testkit'
import type { RedisServer } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKeys } from '../../src/keys/open-store.ts'
import { hashKey, keysCommand } from '../../src/index.ts'
import type { StoredKey } from '../../src/index.ts'

const hasRedis = requireTool('redis-server') !== undefined
let folder: string
let redis: RedisServer | undefined

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-keys-'))
  if (hasRedis) redis = await startRedis()
})
afterAll(async () => {
  await redis?.stop()
  await rm(folder, { recursive: true, force: true })
})

const env = (kind: string): Record<string, string> =>
  kind === 'Redis' ? { PIXPRESS_REDIS_URL: redis!.url } : { PIXPRESS_DATA: 'data' }

async function run(kind: string, ...argv: string[]): Promise<string> {
  const out: string[] = []
  await keysCommand(argv, { cwd: folder, env: env(kind), out: (text) => void out.push(text) })
  return out.join('')
}

const json = async <T>(kind: string, ...argv: string[]): Promise<T> =>
  JSON.parse(await run(kind, ...argv, '--json')) as T

const refusal = (kind: string, ...argv: string[]): Promise<string> =>
  run(kind, ...argv).then(
    () => 'not refused',
    (error: unknown) => (error as Error).message,
  )

async function stored(kind: string, id: string): Promise<StoredKey | undefined> {
  const redisUrl = kind === 'Redis' ? redis!.url : undefined
  const opened = await openKeys({ data: path.join(folder, 'data'), redisUrl, isMade: true })
  try {
    return await opened.keys.find(id)
  } finally {
    await opened.close()
  }
}

interface Made {
  readonly id: string
  readonly key: string
}

describe.each([
  ['SQLite', true],
  ['Redis', hasRedis],
])('pixpress keys on %s', (kind, isThere) => {
  const itThere = it.skipIf(!isThere)

  itThere('add shows the key once, and keeps its hash, its beginning and its terms', async () => {
    const shown = await run(kind, 'add', 'shop', '--monthly-limit', '500', '--rate=10/s', '--operations', 'shrink')
    const key = /^ {2}(\S{32})$/m.exec(shown)![1]!
    const hash = hashKey(key).toString('hex')
    const id = hash.slice(0, 16)
    expect(await stored(kind, id)).toEqual({
      id,
      hash,
      account: 'shop',
      prefix: key.slice(0, 6),
      createdAt: expect.any(Number),
      monthlyLimit: 500,
      rate: { interval: 100, burst: 10 },
      operations: ['shrink'],
    })
    expect(await run(kind, 'list')).not.toContain(key)
    expect(await run(kind, 'list', '--json')).not.toContain(key)
    expect(await run(kind, 'list', '--json')).not.toContain(hash)
    expect(shown).toMatch(/\npixpress {2}.* shop, .* in \S.*\n$/)
  })

  itThere('a second key of an account has its limits, unless others are given', async () => {
    await run(kind, 'add', 'twice', '--monthly-limit=7', '--rate=none', '--expires=1d', '--operations=shrink')
    const same = await json<Made>(kind, 'add', 'twice')
    const terms = await stored(kind, same.id)
    expect(terms).toMatchObject({ monthlyLimit: 7, rate: 'none', operations: ['shrink'] })
    expect(terms).not.toHaveProperty('expiresAt')
    const other = await json<Made>(kind, 'add', 'twice', '--monthly-limit', 'default', '--rate', '1/s')
    expect(await stored(kind, other.id)).toMatchObject({ rate: { interval: 1000, burst: 1 }, account: 'twice' })
    expect(await stored(kind, other.id)).not.toHaveProperty('monthlyLimit')
  })

  itThere('list shows names, beginnings, limits, use of this month, expiry and state', async () => {
    const { id, key } = await json<Made>(kind, 'add', 'listed', '--monthly-limit=20', '--expires=2031-02-03')
    const { id: old } = await json<Made>(kind, 'add', 'listed', '--expires', '2001-01-01')
    const { id: gone } = await json<Made>(kind, 'add', 'listed')
    await run(kind, 'revoke', gone)
    const redisUrl = kind === 'Redis' ? redis!.url : undefined
    const opened = await openKeys({ data: path.join(folder, 'data'), redisUrl, isMade: true })
    const used = { compressions: 3, bytesIn: 10, bytesOut: 4 }
    await opened.counts.increment('listed', new Date().toISOString().slice(0, 7), used, 20)
    await opened.close()
    const table = await run(kind, 'list', 'listed')
    expect(table.split('\n')[0]).toMatch(/^name +id +begins with +used +limit +rate +expires +operations +state$/)
    expect(table).toMatch(/\npixpress {2}2 keys in \S.*\n$/)
    const begins = key.slice(0, 6)
    expect(table).toContain(`listed  ${id}  ${begins}…`)
    expect(table).toMatch(new RegExp(`${id}  ${begins}… +3 +20 +default +2031-02-03T00:00Z +all +accepted`))
    expect(table).toMatch(new RegExp(`${old} .* expired`))
    expect(table).not.toContain(gone)
    expect(await run(kind, 'list', '--all')).toMatch(new RegExp(`${gone} .* revoked`))
    const { keys } = await json<{ keys: unknown[] }>(kind, 'list', 'listed')
    expect(keys).toContainEqual(expect.objectContaining({ id, used: 3, monthlyLimit: 20, state: 'accepted' }))
  })

  itThere('limit changes all keys of an account, or the one of an id, by parts', async () => {
    const one = await json<Made>(kind, 'add', 'limits', '--monthly-limit', '5', '--operations=store')
    const two = await json<Made>(kind, 'add', 'limits')
    await run(kind, 'limit', 'limits', '--monthly-limit', '9')
    await run(kind, 'limit', two.id, '--operations', 'all', '--rate=2/min')
    expect(await stored(kind, one.id)).toMatchObject({ monthlyLimit: 9, operations: ['store'] })
    expect(await stored(kind, two.id)).toMatchObject({ monthlyLimit: 9, rate: { interval: 30_000, burst: 2 } })
    expect(await stored(kind, two.id)).not.toHaveProperty('operations')
    expect(await refusal(kind, 'limit', 'limits')).toContain('what to change')
  })

  itThere('revoke takes a key of an id, or all of an account, and nothing brings them back', async () => {
    const [one, two] = [await json<Made>(kind, 'add', 'gone'), await json<Made>(kind, 'add', 'gone')]
    expect(await run(kind, 'revoke', one.id)).toMatch(
      new RegExp(`^ {2}${one.id} of gone, .*\\npixpress {2}revoked 1 key\\n$`),
    )
    expect((await stored(kind, two.id))!.revokedAt).toBeUndefined()
    await run(kind, 'revoke', 'gone')
    expect((await stored(kind, two.id))!.revokedAt).toBeTypeOf('number')
    expect(await refusal(kind, 'revoke', one.id)).toMatch(/ 20\d\d/)
    expect(await refusal(kind, 'limit', 'gone', '--rate', '1/s')).toMatch(/no such name/)
  })

  itThere('says what is wrong in one sentence, and never shows what might be a key', async () => {
    expect(await refusal(kind)).toContain('list, revoke, limit')
    expect(await refusal(kind, 'add')).toContain('keys add NAME')
    expect(await refusal(kind, 'add', 'the shop')).toEqual(naming('1 to 64 letters'))
    expect(await refusal(kind, 'list', '--rate', '1/s')).toEqual(
      naming('--rate', "'pixpress keys add'", "'pixpress keys limit'"),
    )
    expect(await refusal(kind, 'add', 'x', '--all')).toEqual(naming('--all', "'pixpress keys list'"))
    expect(await refusal(kind, 'add', 'x', '--expires', 'soon')).toEqual(naming("'90d'", "'never'", "'--expires'"))
    expect(await refusal(kind, 'add', 'x', '--operation', 'all')).toContain("'--operations'")
    const { key } = await json<Made>(kind, 'add', 'pasted')
    expect(await refusal(kind, 'revoke', key)).not.toContain(key)
  })
})

describe('pixpress keys', () => {
  it('makes no database where it is to list, and does make one to add', async () => {
    const out: string[] = []
    const host = { cwd: folder, env: {}, out: (text: string) => void out.push(text) }
    await expect(keysCommand(['list', '--data', 'elsewhere'], host)).rejects.toThrow(failure('UsageError', 'elsewhere'))
    expect(await readdir(folder)).not.toContain('elsewhere')
    await keysCommand(['add', 'x', '--data', 'elsewhere'], host)
    expect(await readdir(path.join(folder, 'elsewhere'))).toContain('pixpress.sqlite')
    const [, key] = /^ {2}(\S{32})$/m.exec(out.join(''))!
    for (const file of await readdir(path.join(folder, 'elsewhere'))) {
      expect((await readFile(path.join(folder, 'elsewhere', file))).includes(key!), file).toBe(false)
    }
  })

  it('does not show the password of Redis', async () => {
    const host = { cwd: folder, env: {}, out: () => undefined }
    const url = 'redis://:hunter2@127.0.0.1:9'
    const error = await keysCommand(['list', '--redis', url], host).catch((caught: unknown) => caught)
    expect(String(error)).toMatch(/Redis .* reached/)
    expect(String((error as Error).stack)).not.toContain('hunter2')
    await expect(keysCommand(['list', '--redis', 'hunter2'], host)).rejects.toThrow(/^((?!hunter2).)*$/)
  })

  it('has a help with every action and flag', async () => {
    let help = ''
    await keysCommand(['--help'], { cwd: folder, env: {}, out: (text) => void (help += text) })
    for (const word of [
      'add NAME',
      'list [NAME]',
      'revoke NAME|ID',
      'limit NAME|ID',
      '--monthly-limit N',
      '--redis URL',
    ])
      expect(help).toContain(word)
  })
})
