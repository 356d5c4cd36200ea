import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemErrorCode } from '../base/system-error.ts'

/** Milliseconds to wait before each further try of a rename. Scanners let go of a new file within a few of these. */
const RENAME_RETRIES = [10, 40, 160] as const

/** The codes that Windows answers while another process has the file open without sharing deletion. */
const HELD_BY_ANOTHER: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY'])

/** Options of `replaceFile`. */
export interface ReplaceFileOptions {
  mode?: number | undefined
  durable?: boolean
  times?: { accessed: Date; modified: Date } | undefined
  isAlreadyRight?: () => Promise<boolean>
}

/**
 * Writes a whole file so that a reader, or a crash at any moment, sees the former contents or the new ones and never a
 * part: a temporary file `<file>.<pid>.<random>.tmp` in the same folder, then a rename. Folders are made as needed.
 *
 * @param bytes text is written as UTF-8
 * @param options.mode permissions of the file; default: those of a new file
 * @param options.durable whether the data is forced to the disk before the rename, so that power loss cannot truncate
 * it either.
 * Default `false`: the cache's entries carry a digest for that.
 * @param options.times of the file; default: now
 * @param options.isAlreadyRight asked when the rename is refused because another process holds the file: `true` means
 * that
 * the present contents are kept. Default: they are not.
 * @throws the file system's error; the temporary file is gone by then, unless it cannot be removed either
 */
export async function replaceFile(
  file: string,
  bytes: Uint8Array | string,
  options: ReplaceFileOptions = {},
): Promise<void> {
  const { mode, durable = false, times, isAlreadyRight = async () => false } = options
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeNewFile(temporary, bytes, durable)
    // The mode of a new file would be cut by the process's mask.
    if (mode !== undefined) await fs.chmod(temporary, mode)
    if (times !== undefined) await fs.utimes(temporary, times.accessed, times.modified)
    await renameOver(temporary, file, isAlreadyRight)
  } catch (error) {
    await fs.rm(temporary, { force: true }).catch(() => {
      // The first error says more; eviction sweeps leftovers.
    })
    throw error
  }
}

async function writeNewFile(file: string, bytes: Uint8Array | string, flush: boolean): Promise<void> {
  try {
    await fs.writeFile(file, bytes, { flag: 'wx', flush })
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    await fs.mkdir(path.dirname(file), { recursive: true })
    await fs.writeFile(file, bytes, { flag: 'wx', flush })
  }
}

async function renameOver(temporary: string, file: string, isAlreadyRight: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await fs.rename(temporary, file)
    } catch (error) {
      const wait = RENAME_RETRIES[attempt]
      if (!HELD_BY_ANOTHER.has(systemErrorCode(error))) throw error
      if (await isAlreadyRight()) return await fs.rm(temporary, { force: true })
      if (wait === undefined) throw error
      await delay(wait)
    }
  }
}
