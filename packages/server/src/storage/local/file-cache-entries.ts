import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { attemptOnDisk, syncFolder, unlessMissing } from './disk.ts'
import { writeSynced } from './synced-file.ts'
import type { CacheEntries, CacheEntryName } from '../contract.ts'

/** An account is brought down to this part of its bound, so that the next entries fit. */
const TRIMMED_TO = 0.9

/** Milliseconds by which the noted time of the last use may lag behind, so that most reads write nothing. */
const USE_LAG = 3_600_000

/** Milliseconds after which a temporary file is what a crash has left. */
const LEFTOVER_AGE = 3_600_000

interface EntryFile {
  readonly file: string
  readonly size: number
  /** Milliseconds since 1970. */
  readonly used: number
}

/**
 * Keeps entries in `<folder>/<account>/<signer>/<first two digits>/<key>`, the account by its hash: names of accounts
 * are no file names everywhere. An entry is linked to its name when it is whole and on the disk; the time of its file
 * is that of its last use.
 * @param bound bytes that each account's entries may have
 */
export function createFileCacheEntries(folder: string, bound: number): CacheEntries {
  const shelfOf = ({ account, signer }: Omit<CacheEntryName, 'key'>): string =>
    path.join(folder, createHash('sha256').update(account).digest('hex').slice(0, 32), signer)
  const fileOf = (name: CacheEntryName): string => path.join(shelfOf(name), name.key.slice(0, 2), name.key)
  /** Bytes of each account, by its folder, as far as this process knows. */
  const totals = new Map<string, Promise<number>>()

  /** Adds to an account's total; where it becomes too much, the entries used least recently go. */
  async function grow(own: string, size: number): Promise<void> {
    const before = totals.get(own)
    const after = (async () => {
      // A folder that cannot be looked through is looked through again.
      const known = await before?.catch(() => undefined)
      return known === undefined || known + size > bound ? trimmed(own, bound) : known + size
    })()
    totals.set(own, after)
    await after
  }

  return {
    create: (name, bytes) =>
      attemptOnDisk('write', async () => {
        const file = fileOf(name)
        if ((await unlessMissing(stat(file))) !== undefined) return false
        const shelf = path.dirname(file)
        const made = await mkdir(shelf, { recursive: true, mode: 0o700 })
        if (made !== undefined) await syncFolder(path.dirname(made))
        const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
        try {
          await writeSynced(temporary, bytes)
          if (!(await linked(temporary, file))) return false
        } finally {
          await rm(temporary, { force: true })
        }
        await syncFolder(shelf)
        await grow(path.dirname(shelfOf(name)), bytes.length)
        return true
      }),
    has: (name) => attemptOnDisk('read', async () => (await unlessMissing(stat(fileOf(name)))) !== undefined),
    stream: (name) =>
      attemptOnDisk('read', async () => {
        const file = fileOf(name)
        const handle = await unlessMissing(open(file, 'r'))
        if (handle === undefined) return undefined
        const { size, mtimeMs } = await handle.stat()
        const now = Date.now()
        // Only the order in which entries go suffers where this cannot be noted.
        if (Math.abs(now - mtimeMs) > USE_LAG) await utimes(file, now / 1000, now / 1000).catch(() => undefined)
        const body = Readable.toWeb(createReadStream('', { fd: handle })) as ReadableStream<Uint8Array>
        return { size, body }
      }),
    list: (of, after, limit) =>
      attemptOnDisk('list', async () => {
        const shelf = shelfOf(of)
        const keys: string[] = []
        for (const digits of ((await unlessMissing(readdir(shelf))) ?? []).sort()) {
          if (after !== undefined && digits < after.slice(0, 2)) continue
          const names = (await unlessMissing(readdir(path.join(shelf, digits)))) ?? []
          keys.push(...names.filter((name) => isEntry(name) && (after === undefined || name > after)).sort())
          if (keys.length >= limit) break
        }
        return keys.slice(0, limit)
      }),
  }
}

/** Removes leftovers, and entries used least recently where there are too many bytes. @returns bytes that are left */
async function trimmed(folder: string, bound: number): Promise<number> {
  const { entries, leftovers } = await filesOf(folder)
  const now = Date.now()
  for (const { file, used } of leftovers) if (now - used > LEFTOVER_AGE) await rm(file, { force: true })
  let total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total <= bound) return total
  for (const { file, size } of entries.toSorted((a, b) => a.used - b.used)) {
    if (total <= bound * TRIMMED_TO) break
    await rm(file, { force: true })
    total -= size
  }
  return total
}

const isEntry = (name: string): boolean => /^[\da-f]{64}$/.test(name)

/** @returns `false` where another one has the name already */
async function linked(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // File systems without links: the last of two writers of one moment wins, with an entry of the same key.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error
    await rename(temporary, file)
    return true
  }
}

async function filesOf(folder: string): Promise<{ entries: EntryFile[]; leftovers: EntryFile[] }> {
  const found = (await unlessMissing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? []
  const files = await Promise.all(
    found
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const file = path.join(parentPath, name)
        const state = await unlessMissing(stat(file))
        return state && { file, size: state.size, used: state.mtimeMs }
      }),
  )
  const all = files.filter((file) => file !== undefined)
  return {
    entries: all.filter(({ file }) => isEntry(path.basename(file))),
    leftovers: all.filter(({ file }) => file.endsWith('.tmp')),
  }
}
