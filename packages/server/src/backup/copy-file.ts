import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { UsageError } from '@pixpress/core/internal'
import { BackendUnavailableError } from '../storage/contract.ts'
import { DamagedRecordError } from '../storage/stored-records.ts'

/** A file as it was read: its bytes and their SHA-256. */
export interface ReadFile {
  readonly bytes: number
  readonly digest: string
}

/** Reads a file to its end. */
export async function readDigest(file: string): Promise<ReadFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece)
    bytes += piece.length
  }
  return { bytes, digest: hash.digest('hex') }
}

/** Copies a file to a new one of this user alone, which is on the disk when this resolves. */
export async function copySynced(from: string, to: string): Promise<ReadFile> {
  const source = await open(from, 'r')
  try {
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
    const copy = await open(to, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const piece of source.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
        hash.update(piece)
        bytes += piece.length
        await copy.writeFile(piece)
      }
      await copy.sync()
      return { bytes, digest: hash.digest('hex') }
    } finally {
      await copy.close()
    }
  } finally {
    await source.close()
  }
}

/**
 * Reports what the disk refuses in a sentence.
 * @throws UsageError, PixpressError `IO_FAILED` or `INVALID_OPTION`, BackendUnavailableError of the database
 */
export async function attemptWithFiles<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UsageError || error instanceof PixpressError || error instanceof BackendUnavailableError)
      throw error
    if (error instanceof DamagedRecordError) throw new PixpressError('INVALID_OPTION', error.message, { cause: error })
    const reason = error instanceof Error ? error.message : String(error)
    throw new PixpressError('IO_FAILED', `The storage could not be ${what}: ${reason}.`, { cause: error })
  }
}
