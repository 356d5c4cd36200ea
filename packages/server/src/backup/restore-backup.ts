import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { UsageError } from '@pixpress/core/internal'
import { syncFolder, unlessMissing } from '../storage/local/disk.ts'
import { createSqliteRecords } from '../storage/local/sqlite-records.ts'
import { attemptInDatabase, openDatabase } from '../storage/local/sqlite.ts'
import { attemptWithFiles, copySynced, readDigest } from './copy-file.ts'
import type { ReadFile } from './copy-file.ts'
import { DATABASE, OWN_KEY, PARTS, damagedBackup, placeOfPart, readDescription, readSums } from './layout.ts'
import type { Description } from './layout.ts'

/** Where a restore works, in the data folder: the folder above may not be the server's user's to write in. */
const WORKPLACE = 'restore.tmp'

/** Records read at once. */
const PAGE = 1000

/**
 * Checks every file of a backup by its digest, the database by itself, and that each record has its bytes.
 * @throws PixpressError `INVALID_OPTION` for what is damaged or missing
 */
export async function verifyBackup(folder: string, scratch: string): Promise<Description> {
  return attemptWithFiles('checked', async () => {
    const description = await readDescription(folder)
    const places = await eachFile(folder, description, readDigest)
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    // SQLite writes beside a database that it reads, and a backup stays as it is.
    const copy = path.join(scratch, DATABASE)
    await copySynced(path.join(folder, DATABASE), copy)
    await checkDatabase(copy, places)
    return description
  })
}

/**
 * Makes a data folder of a backup. A server may start with it when this resolves, and not before: the database comes to
 * its place last.
 * @param data the data folder: a new one, or an empty one; what an interrupted restore has left is removed
 * @throws UsageError where the folder has something else, PixpressError `INVALID_OPTION` for a damaged backup
 */
export async function restoreBackup(folder: string, data: string): Promise<Description> {
  return attemptWithFiles('restored', async () => {
    const description = await readDescription(folder)
    await emptyForRestore(data)
    const workplace = path.join(data, WORKPLACE)
    await mkdir(workplace, { recursive: true, mode: 0o700 })
    const copy = (from: string, place: string): Promise<ReadFile> => copySynced(from, path.join(workplace, place))
    try {
      const places = await eachFile(folder, description, copy)
      await checkDatabase(path.join(workplace, DATABASE), places)
      await syncFolders(workplace)
    } catch (error) {
      await rm(workplace, { recursive: true, force: true })
      throw error
    }
    for (const name of ['outputs', OWN_KEY, DATABASE]) {
      await unlessMissing(rename(path.join(workplace, name), path.join(data, name)))
    }
    await syncFolder(data)
    await rmdir(workplace)
    return description
  })
}

/** A restore never replaces anything. Without a database, what stands beside its workplace is its own. */
async function emptyForRestore(data: string): Promise<void> {
  const there = (await unlessMissing(readdir(data))) ?? []
  if (existsSync(path.join(data, DATABASE)) || (there.length > 0 && !there.includes(WORKPLACE))) {
    throw new UsageError(`Expected a new or empty data folder; ${data} has files, and a restore replaces nothing.`)
  }
  for (const name of [WORKPLACE, 'outputs', OWN_KEY]) await rm(path.join(data, name), { recursive: true, force: true })
}

/** Reads each file of a backup. @returns their places @throws PixpressError `INVALID_OPTION` */
async function eachFile(
  folder: string,
  description: Description,
  read: (file: string, place: string) => Promise<ReadFile>,
): Promise<Set<string>> {
  const places = new Set<string>()
  let total = 0
  for await (const { place, digest } of readSums(folder, description)) {
    const found = await unlessMissing(read(path.join(folder, place), place))
    if (found === undefined) throw damagedBackup(`Expected ${place} in the backup ${folder}; it is missing.`)
    if (found.digest !== digest)
      throw damagedBackup(`Expected the digest of ${place} in the backup ${folder}; it is damaged.`)
    places.add(place)
    total += found.bytes
  }
  if (!places.has(DATABASE)) throw damagedBackup(`Expected a database in the backup ${folder}.`)
  if (total !== description.bytes)
    throw damagedBackup(`Expected ${description.bytes} bytes in the backup ${folder}, not ${total}.`)
  return places
}

/** Checks a database, and that each of its records is readable and has its bytes. */
async function checkDatabase(file: string, places: ReadonlySet<string>): Promise<void> {
  const database = await openDatabase(file)
  try {
    const [answer] = attemptInDatabase('check', () => database.prepare('pragma integrity_check').all())
    if (answer?.integrity_check !== 'ok')
      throw damagedBackup(`Expected a whole database in the backup: ${file} is damaged.`)
    const records = createSqliteRecords(database)
    let after = ''
    for (;;) {
      const ids = records.list(after, PAGE)
      for (const id of ids) {
        await records.find(id)
        const missing = PARTS.find((part) => !places.has(placeOfPart(id, part)))
        if (missing !== undefined)
          throw damagedBackup(`Expected ${placeOfPart(id, missing)} in the backup, which has its record.`)
      }
      if (ids.length < PAGE) return
      after = ids.at(-1)!
    }
  } finally {
    database.close()
  }
}

/** Makes the names of a folder's files durable. */
async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolder(path.join(entry.parentPath, entry.name))
  }
  await syncFolder(folder)
}
