import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { firstLine, replaceFile, systemFault } from '@pixpress/core/internal'
import { digestOf, originalFile } from './records.ts'
import type { BackupRecord } from './records.ts'

/**
 * State of a file: it has its original bytes again, had them already, or was left as it is because somebody changed it
 * since, or because something failed.
 */
export type RestoreState = 'restored' | 'unchanged' | 'changed' | 'failed'

/** A file, and its state after restoring. */
export interface RestoredFile {
  /** Absolute. */
  readonly file: string
  readonly state: RestoreState
  /** Why it was left as it is: one plain sentence, without the file's name. */
  readonly message?: string
}

/** Options of restoring. */
export interface RestoreOptions {
  /** The backup's folder, absolute. */
  readonly folder: string
  /** Files that were changed since are replaced as well. */
  readonly force: boolean
  readonly dryRun: boolean
}

/** Brings the original of one file back, whole or not at all. Never throws: what is in the way is told. */
export async function restoreFile(record: BackupRecord, options: RestoreOptions): Promise<RestoredFile> {
  const { file, original, replacement, mode } = record
  try {
    const present = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    const digest = present && digestOf(present)
    if (digest === original) return { file, state: 'unchanged' }
    if (digest !== undefined && digest !== replacement && !options.force) {
      return { file, state: 'changed', message: 'it was changed after it had been compressed; --force replaces it' }
    }
    if (present !== undefined && ((await stat(file)).mode & WRITABLE) === 0) {
      return { file, state: 'failed', message: 'it is read-only' }
    }
    const bytes = await readFile(originalFile(options.folder, original)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (bytes === undefined) return { file, state: 'failed', message: 'its original is no longer kept' }
    if (digestOf(bytes) !== original) return { file, state: 'failed', message: 'its original in the backup is damaged' }
    if (!options.dryRun) await replaceFile(file, bytes, { mode, durable: true })
    return { file, state: 'restored' }
  } catch (error) {
    return { file, state: 'failed', message: failureOf(error, file) }
  }
}

function failureOf(error: unknown, file: string): string {
  const fault = systemFault(error, path.dirname(file))
  return fault === undefined ? firstLine(error) : `${fault.what}. ${fault.mend}`
}

/** Any bit that lets somebody write: a rename would replace a file without one all the same. */
const WRITABLE = 0o222
