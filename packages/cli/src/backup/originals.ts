import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { replaceFile } from '@pixpress/core/internal'
import { createBackup } from './create-backup.ts'
import type { Backup } from './create-backup.ts'
import { dropRecords, isDigest, originalFile } from './records.ts'

/** Days for which an original is kept after the last run that replaced its file. */
const MOST_DAYS = 30

/** Bytes that the originals of earlier runs may take together with those of the last one, which all stay. */
const MOST_BYTES = 2 * 1024 ** 3

const DAY = 86_400_000

/** Originals of what is replaced in place, kept for a while without being asked for. */
export interface Originals extends Backup {
  /**
   * Ends a run: drops originals that have been kept long enough.
   * @returns one line about the originals of this run; `undefined` if there are none
   */
  finish(): Promise<string | undefined>
}

/** The folder of the originals beside the entries of a cache, whose own clean-up leaves it alone. */
export const originalsFolder = (cacheFolder: string): string => path.join(cacheFolder, 'originals')

/**
 * @param folder absolute; made when there is something to keep
 * @param from absolute: the folder that the run was started in
 */
export function openOriginals(folder: string, from: string): Originals {
  const kept = new Set<string>()
  let files = 0
  let ignored: Promise<void> | undefined
  const onKept = (digest: string): void => {
    kept.add(digest)
    files++
  }
  const backup = createBackup(folder, { from, onKept })
  return {
    async keep(file, replacement) {
      try {
        // A cache may be committed; what it keeps of this machine's runs is not.
        await (ignored ??= replaceFile(path.join(folder, '.gitignore'), '*\n'))
        await backup.keep(file, replacement)
      } catch (error) {
        throw notKept(folder, error)
      }
    },
    async finish() {
      if (files === 0) return undefined
      // The next run drops what cannot be dropped now.
      await dropOld(folder, kept).catch(() => undefined)
      return files === 1
        ? `The original stays for ${MOST_DAYS} days: 'pixpress restore' brings it back.`
        : `${files} originals stay for ${MOST_DAYS} days: 'pixpress restore' brings them back.`
    },
  }
}

function notKept(folder: string, error: unknown): PixpressError {
  const message = `Originals cannot be kept in '${folder}': make it writable and free space, or give --no-backup.`
  return new PixpressError('MACHINE_UNFIT', message, { cause: error })
}

/**
 * Drops originals that are too old, and the oldest of too many. @param staying digests of those that stay whatever
 * their size
 */
async function dropOld(folder: string, staying: ReadonlySet<string>): Promise<void> {
  const names = (await readdir(originalFile(folder, ''))).filter(isDigest)
  const stats = await Promise.all(
    names.map(async (digest) => ({ digest, stats: await stat(originalFile(folder, digest)) })),
  )
  const oldestLast = stats.sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)
  const leaving = new Set<string>()
  const now = Date.now()
  let bytes = 0
  for (const { digest, stats: entry } of oldestLast) {
    bytes += entry.size
    const isOld = now - entry.mtimeMs > MOST_DAYS * DAY
    if (!staying.has(digest) && (isOld || bytes > MOST_BYTES)) leaving.add(digest)
  }
  if (leaving.size === 0) return
  // The list first: it never names what is not there.
  await dropRecords(folder, ({ original }) => leaving.has(original))
  for (const digest of leaving) await rm(originalFile(folder, digest), { force: true })
}
