import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { UsageError } from '@pixpress/core/internal'
import { syncFolder, unlessMissing } from '../storage/local/disk.ts'
import { createSqliteRecords } from '../storage/local/sqlite-records.ts'
import type { SqliteRecords } from '../storage/local/sqlite-records.ts'
import { copyDatabase, openDatabase } from '../storage/local/sqlite.ts'
import { attemptWithFiles, copySynced, readDigest } from './copy-file.ts'
import type { ReadFile } from './copy-file.ts'
import { DATABASE, DESCRIPTION, OWN_KEY, PARTS, SUMS, describe, sumLine, placeOfPart } from './layout.ts'
import type { Description } from './layout.ts'

/** Records read at once. */
const PAGE = 1000

/** A backup that was made. */
export interface MadeBackup extends Description {
  /** Records that it does not have, because their bytes went while it was made: their time was over. */
  readonly leftOut: number
}

/** State that the steps of a backup share. */
interface Copying {
  readonly data: string
  /** The folder that becomes the backup. */
  readonly target: string
  readonly sums: FileHandle
  readonly digest: ReturnType<typeof createHash>
  bytes: number
}

/**
 * Copies the storage of one machine, also while a server works with it. The database is copied first, as of one moment:
 * bytes of an output are written before its record, so that every record of the copy finds its bytes. Nothing is at the
 * place of the backup before all of it is on the disk.
 * @param data a server's data folder
 * @param folder the backup: a new folder, or an empty one
 * @throws UsageError where there is no database, or something in the folder; BackendUnavailableError
 */
export async function backUpStorage(data: string, folder: string, now: number): Promise<MadeBackup> {
  if (!existsSync(path.join(data, DATABASE))) {
    throw new UsageError(`There is no database ${path.join(data, DATABASE)}: give the server's '--data'.`)
  }
  return attemptWithFiles('backed up', async () => {
    const there = await unlessMissing(readdir(folder))
    if (there !== undefined && there.length > 0)
      throw new UsageError(`Expected a new or empty folder; ${folder} has files.`)
    const target = `${folder}.${randomBytes(6).toString('hex')}.tmp`
    await mkdir(target, { recursive: true, mode: 0o700 })
    try {
      const made = await copyStorage(data, target, now)
      if (there !== undefined) await rmdir(folder)
      await rename(target, folder)
      await syncFolder(path.dirname(folder))
      return made
    } catch (error) {
      await rm(target, { recursive: true, force: true })
      throw error
    }
  })
}

async function copyStorage(data: string, target: string, now: number): Promise<MadeBackup> {
  const copy = path.join(target, DATABASE)
  await copyDatabase(path.join(data, DATABASE), copy)
  const sums = await open(path.join(target, SUMS), 'wx', 0o600)
  const copying: Copying = { data, target, sums, digest: createHash('sha256'), bytes: 0 }
  let counts: { outputs: number; leftOut: number }
  try {
    counts = await copyOutputs(copying, copy)
    await note(copying, DATABASE, await readDigest(copy))
    const key = await unlessMissing(copySynced(path.join(data, OWN_KEY), path.join(target, OWN_KEY)))
    if (key !== undefined) await note(copying, OWN_KEY, key)
    await sums.sync()
  } finally {
    await sums.close()
  }
  const { bytes, digest } = copying
  const facts = { createdAt: now, outputs: counts.outputs, bytes, sums: digest.digest('hex') }
  const description = describe(facts)
  await writeLast(path.join(target, DESCRIPTION), `${JSON.stringify(description)}\n`)
  await syncFolder(target)
  return { ...description, leftOut: counts.leftOut }
}

/** Copies the bytes of every record, and removes from the copy of the database those whose bytes have gone. */
async function copyOutputs(copying: Copying, copy: string): Promise<{ outputs: number; leftOut: number }> {
  const database = await openDatabase(copy)
  try {
    const records = createSqliteRecords(database)
    const counts = { outputs: 0, leftOut: 0 }
    let after = ''
    for (;;) {
      const ids = records.list(after, PAGE)
      for (const id of ids) counts[await copyOutput(copying, records, id)]++
      if (ids.length < PAGE) return counts
      after = ids.at(-1)!
    }
  } finally {
    database.close()
  }
}

async function copyOutput(copying: Copying, records: SqliteRecords, id: string): Promise<'outputs' | 'leftOut'> {
  const { data, target } = copying
  const copied: [string, ReadFile][] = []
  for (const part of PARTS) {
    const place = placeOfPart(id, part)
    const file = await unlessMissing(copySynced(path.join(data, place), path.join(target, place)))
    if (file !== undefined) copied.push([place, file])
  }
  if (copied.length < PARTS.length) {
    records.remove(id)
    for (const [place] of copied) await rm(path.join(target, place))
    return 'leftOut'
  }
  for (const [place, file] of copied) await note(copying, place, file)
  return 'outputs'
}

async function note(copying: Copying, place: string, { bytes, digest }: ReadFile): Promise<void> {
  const line = sumLine({ place, digest })
  copying.bytes += bytes
  copying.digest.update(line)
  await copying.sums.writeFile(line)
}

async function writeLast(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
