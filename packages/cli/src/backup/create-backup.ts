import { readFile, realpath, stat, utimes } from 'node:fs/promises'
import { replaceFile } from '@pixpress/core/internal'
import { appendRecord, digestOf, originalFile, readRecords } from './records.ts'
import type { BackupRecord } from './records.ts'

/** Keeps files that are about to be replaced. */
export interface Backup {
  /**
   * Returns once a file's bytes and the note of what takes their place are on the disk. Does nothing where there is no
   * file.
   * @param file absolute
   * @throws Error of the file system, PixpressError `IO_FAILED`
   */
  keep(file: string, replacement: Uint8Array): Promise<void>
}

/** Settings of a backup. */
export interface BackupSettings {
  /** Folder that the run was started in, absolute, to be noted; `undefined`: none is. */
  readonly from?: string | undefined
  /** Told the digest of each original that a file of this run has. */
  readonly onKept?: (digest: string) => void
}

/** @param folder absolute; made when there is something to keep */
export function createBackup(folder: string, { from, onKept }: BackupSettings = {}): Backup {
  let records: Promise<Map<string, BackupRecord>> | undefined
  let last: Promise<void> = Promise.resolve()

  async function keep(named: string, replacement: Uint8Array): Promise<void> {
    const file = await realpath(named).catch(() => undefined)
    if (file === undefined) return
    const [bytes, { mode }] = await Promise.all([readFile(file), stat(file)])
    const known = await (records ??= readRecords(folder).then((found) => found ?? new Map<string, BackupRecord>()))
    const digest = digestOf(bytes)
    const before = known.get(file)
    // A result of an earlier run is no original; the original of that run still is.
    const isEarlierResult = before?.replacement === digest
    if (isEarlierResult) await renew(before.original)
    else await store(digest, bytes)
    const record: BackupRecord = {
      file,
      original: isEarlierResult ? before.original : digest,
      replacement: digestOf(replacement),
      mode: isEarlierResult ? before.mode : mode & 0o777,
      ...(from !== undefined && { from }),
    }
    onKept?.(record.original)
    await appendRecord(folder, record)
    known.set(file, record)
  }

  async function store(digest: string, bytes: Uint8Array): Promise<void> {
    const place = originalFile(folder, digest)
    const present = await readFile(place).catch(() => undefined)
    if (present === undefined || digestOf(present) !== digest) await replaceFile(place, bytes, { durable: true })
    else await renew(digest)
  }

  /** How long it is kept counts from now. */
  async function renew(digest: string): Promise<void> {
    const now = new Date()
    await utimes(originalFile(folder, digest), now, now).catch(() => undefined)
  }

  return {
    keep(file, replacement) {
      // One after the other, as lines of one list.
      const next = last.then(() => keep(file, replacement))
      last = next.catch(() => undefined)
      return next
    },
  }
}
