import { createHash } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { inTurn, replaceFile } from '@pixpress/core/internal'

/** One file that was replaced, as a line of JSON in the backup's list. */
export interface BackupRecord {
  /** Absolute. Written relative to the backup's folder, so that both can move together. */
  readonly file: string
  /** SHA-256 of the bytes before, under which they are kept: 64 hexadecimal digits. */
  readonly original: string
  /** SHA-256 of the bytes that took their place. */
  readonly replacement: string
  /** Permissions of the file before. */
  readonly mode: number
  /** Folder that the run was started in, absolute; absent where it was not noted. */
  readonly from?: string
}

/** The list of what was replaced, the oldest first. Lines are only ever added. */
const LIST = 'pixpress-backup.jsonl'

/** The file that holds an original. It has no extension, so that no glob takes it for an image to compress. */
export const originalFile = (folder: string, digest: string): string => path.join(folder, 'originals', digest)

/** Returns the SHA-256 of some bytes as hexadecimal digits. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * The last record of every file, by its absolute path; `undefined` where the folder holds no backup.
 * @throws PixpressError `IO_FAILED` for a list that cannot be read, or is of another version
 */
export async function readRecords(folder: string): Promise<Map<string, BackupRecord> | undefined> {
  const list = path.join(folder, LIST)
  const text = await readFile(list, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new PixpressError('IO_FAILED', `The list of the backup cannot be read: ${error.message}`, {
      file: list,
      cause: error,
    })
  })
  if (text === undefined) return undefined
  const lines = text.split('\n')
  // A crash cut off the text after the last line break, before its file was replaced.
  lines.pop()
  const records = new Map<string, BackupRecord>()
  for (const [index, line] of lines.entries()) {
    const record = parseRecord(line, folder)
    // A later run closes a line that was cut off, and goes on below it.
    if (record === undefined && line !== '' && !isCutOff(line)) {
      throw new PixpressError(
        'IO_FAILED',
        `Line ${index + 1} of the backup's list is of another version of pixpress.`,
        {
          file: list,
        },
      )
    }
    if (record !== undefined) records.set(record.file, record)
  }
  return records
}

/** Adds to the list, and returns once it is on the disk. @throws Error of the file system */
export async function appendRecord(folder: string, record: BackupRecord): Promise<void> {
  await mkdir(folder, { recursive: true })
  // Another run may be about to write the list without what is no longer kept.
  await inTurn(path.join(folder, LIST), () => appendLine(folder, lineOf(folder, record)))
}

/**
 * Takes records from the list, and keeps all others as they are.
 * @param isLeaving asked about each record that the list has by then
 * @throws Error of the file system, PixpressError `IO_FAILED`
 */
export async function dropRecords(folder: string, isLeaving: (record: BackupRecord) => boolean): Promise<void> {
  const list = path.join(folder, LIST)
  await inTurn(list, async () => {
    const staying = [...((await readRecords(folder))?.values() ?? [])].filter((record) => !isLeaving(record))
    await replaceFile(list, staying.map((record) => `${lineOf(folder, record)}\n`).join(''), { durable: true })
  })
}

function lineOf(folder: string, { from, ...record }: BackupRecord): string {
  const relative = (place: string): string => slashed(path.relative(folder, place))
  const start = from === undefined ? {} : { from: relative(from) }
  return JSON.stringify({ version: 1, ...record, file: relative(record.file), ...start })
}

async function appendLine(folder: string, line: string): Promise<void> {
  const handle = await open(path.join(folder, LIST), 'a+')
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    const isOpen = bytesRead === 1 && buffer[0] !== 0x0a
    await handle.appendFile(`${isOpen ? '\n' : ''}${line}\n`)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

function parseRecord(line: string, folder: string): BackupRecord | undefined {
  try {
    const { version, file, original, replacement, mode, from } = JSON.parse(line) as Readonly<Record<string, unknown>>
    const isKnown = version === 1 && typeof file === 'string' && isDigest(original) && isDigest(replacement)
    if (!isKnown || typeof mode !== 'number') return undefined
    const start = typeof from === 'string' ? { from: path.resolve(folder, from) } : {}
    return { file: path.resolve(folder, file), original, replacement, mode, ...start }
  } catch {
    return undefined
  }
}

/** Narrows a value to a SHA-256 in hexadecimal digits. */
export const isDigest = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

const isCutOff = (line: string): boolean => !line.endsWith('}')

const slashed = (file: string): string => file.split(path.sep).join('/')
