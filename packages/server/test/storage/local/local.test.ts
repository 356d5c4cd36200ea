import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openLocalBackend } from '../../../src/storage/local/local.ts'
import { openDatabase } from '../../../src/storage/local/sqlite.ts'
import { BackendUnavailableError } from '../../../src/index.ts'
import type { OutputRecord } from '../../../src/index.ts'
import { describeBackend, used } from '../storage.contract.ts'

const folders: string[] = []

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-backend-'))
  folders.push(folder)
  return folder
}

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

for (const tables of ['sqlite', 'memory'] as const) {
  describeBackend(`one machine, with tables in ${tables}`, async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-backend-'))
    const backend = await openLocalBackend({ folder, cacheSize: 1e9, tables })
    return {
      backend,
      async close() {
        await backend.close()
        await rm(folder, { recursive: true, force: true })
      },
    }
  })
}

const record = (id: string, expiresAt: number): OutputRecord => ({
  id,
  account: 'somebody',
  createdAt: 0,
  expiresAt,
  input: { type: 'image/png', size: 2 },
  output: { type: 'image/png', size: 1, width: 1, height: 1 },
})

describe('openLocalBackend', () => {
  it('knows everything again after it was closed', async () => {
    const folder = await temporaryFolder()
    const first = await openLocalBackend({ folder, cacheSize: 1e9 })
    await first.counts.increment('somebody', '2026-11', used(7), 10)
    await first.bytes.put('a'.repeat(32), 'output', Buffer.from('bytes'), 'image/png')
    await first.records.create(record('a'.repeat(32), 5))
    await first.close()
    const again = await openLocalBackend({ folder, cacheSize: 1e9 })
    expect(await again.counts.read('somebody', '2026-11')).toBe(7)
    expect(await again.records.find('a'.repeat(32))).toEqual(record('a'.repeat(32), 5))
    expect(Buffer.from((await again.bytes.get('a'.repeat(32), 'output'))!).toString()).toBe('bytes')
    await again.close()
  })

  it('keeps the counts of a database of the first version, whose servers may still have it open', async () => {
    const folder = await temporaryFolder()
    const older = await openDatabase(path.join(folder, 'pixpress.sqlite'))
    older.exec(`drop table keys; drop table counts;
      create table counts (account text not null, month text not null, count integer not null,
        primary key (account, month)) strict, without rowid;
      insert into counts values ('somebody', '2026-11', 7);
      pragma user_version = 1;`)
    const backends = await Promise.all([1, 2].map(() => openLocalBackend({ folder, cacheSize: 1e9 })))
    expect(await backends[0]!.counts.increment('somebody', '2026-11', used(1, 9, 4), 10)).toEqual({
      counted: true,
      count: 8,
    })
    older.exec("insert into counts (account, month, count) values ('other', '2026-11', 3)")
    expect(await backends[1]!.counts.usage('somebody', '2026-11')).toEqual(used(8, 9, 4))
    expect(await backends[1]!.counts.usage('other', '2026-11')).toEqual(used(3))
    older.close()
    for (const backend of backends) await backend.close()
  })

  it('writes ahead into a log, so that readers and writers do not wait for each other', async () => {
    const folder = await temporaryFolder()
    const backend = await openLocalBackend({ folder, cacheSize: 1e9 })
    await backend.counts.increment('somebody', '2026-11', used(1), 10)
    expect(await readdir(folder)).toContain('pixpress.sqlite-wal')
    await backend.close()
  })

  it('two of them on one folder count together', async () => {
    const folder = await temporaryFolder()
    const [one, two] = [
      await openLocalBackend({ folder, cacheSize: 1e9 }),
      await openLocalBackend({ folder, cacheSize: 1e9 }),
    ]
    const counted = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).counts.increment('somebody', '2026-11', used(1), 1000)),
    )
    expect(new Set(counted.map(({ count }) => count)).size).toBe(40)
    await one.close()
    await two.close()
  })

  it('sweeps what has expired, and keeps the rest', async () => {
    const folder = await temporaryFolder()
    const backend = await openLocalBackend({ folder, cacheSize: 1e9 })
    const [old, young] = ['b'.repeat(32), 'c'.repeat(32)]
    for (const [id, expiresAt] of [
      [old, 1000],
      [young, 3000],
    ] as const) {
      await backend.bytes.put(id, 'upload', Buffer.from('up'), 'image/png')
      await backend.bytes.put(id, 'output', Buffer.from('o'), 'image/png')
      await backend.records.create(record(id, expiresAt))
    }
    expect(await backend.sweep(2000)).toBe(1)
    expect(await backend.records.find(old)).toBeUndefined()
    expect(await backend.bytes.get(old, 'upload')).toBeUndefined()
    expect(await backend.bytes.get(young, 'upload')).toBeDefined()
    expect(await backend.sweep(2000)).toBe(0)
    await backend.close()
  })

  it('sweeps files that a crash has left behind, but not those being written', async () => {
    const folder = await temporaryFolder()
    const shelf = path.join(folder, 'outputs', 'dd')
    await mkdir(shelf, { recursive: true })
    const hourAgo = new Date(Date.now() - 3_700_000)
    const orphan = path.join(shelf, `${'d'.repeat(32)}.upload`)
    const half = path.join(shelf, `${'d'.repeat(32)}.0123456789ab.tmp`)
    const young = path.join(shelf, `dd${'e'.repeat(30)}.upload`)
    for (const file of [orphan, half, young]) await writeFile(file, 'x')
    for (const file of [orphan, half]) await utimes(file, hourAgo, hourAgo)
    const backend = await openLocalBackend({ folder, cacheSize: 1e9 })
    await backend.sweep(Date.now())
    expect(await readdir(shelf)).toEqual([path.basename(young)])
    await backend.close()
  })

  it('leaves no temporary file behind', async () => {
    const folder = await temporaryFolder()
    const backend = await openLocalBackend({ folder, cacheSize: 1e9 })
    const id = 'f'.repeat(32)
    await backend.bytes.put(id, 'output', Buffer.from('x'), 'image/png')
    expect(await readdir(path.join(folder, 'outputs', 'ff'))).toEqual([`${id}.output`])
    await backend.close()
  })

  it.skipIf(process.platform === 'win32')('says at once that its folder cannot be written to', async () => {
    const folder = await temporaryFolder()
    // For root too, whom no permission holds back: a name in the way of every write.
    await writeFile(path.join(folder, 'outputs'), 'in the way')
    await expect(openLocalBackend({ folder, cacheSize: 1e9 })).rejects.toThrow(
      new RegExp(`${folder} .*(EEXIST|ENOTDIR)`),
    )
  })

  it('says that it cannot be used: a file in the way, a database of a newer version, a folder that is gone', async () => {
    const folder = await temporaryFolder()
    await writeFile(path.join(folder, 'file'), '')
    await expect(openLocalBackend({ folder: path.join(folder, 'file'), cacheSize: 1e9 })).rejects.toThrow(
      BackendUnavailableError,
    )
    const newer = path.join(folder, 'newer')
    await mkdir(newer)
    const database = await openDatabase(path.join(newer, 'pixpress.sqlite'))
    database.exec('pragma user_version = 99')
    database.close()
    await expect(openLocalBackend({ folder: newer, cacheSize: 1e9 })).rejects.toThrow(/newer pixpress/)
    const backend = await openLocalBackend({ folder: path.join(folder, 'gone'), cacheSize: 1e9 })
    await rm(path.join(folder, 'gone', 'outputs'), { recursive: true })
    await writeFile(path.join(folder, 'gone', 'outputs'), 'in the way')
    await expect(backend.bytes.put('a'.repeat(32), 'output', Buffer.from('x'), 'image/png')).rejects.toThrow(
      BackendUnavailableError,
    )
    await backend.close()
    expect(await readFile(path.join(folder, 'gone', 'outputs'), 'utf8')).toBe('in the way')
  })
})
