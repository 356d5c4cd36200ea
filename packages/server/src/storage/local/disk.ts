import { open } from 'node:fs/promises'
import { BackendUnavailableError } from '../contract.ts'

/** Makes a new name durable. Windows cannot open folders, and keeps its names by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Returns the result of a file operation, or `undefined` if there is no such file. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Reports a failed disk operation as temporary (503): a later attempt may succeed. @throws BackendUnavailableError */
export async function attemptOnDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackendUnavailableError(`Could not ${what} a file: ${reason}`, { cause: error, full: fullDisk(error) })
  }
}

/** The codes of a full disk and of a used-up quota, and SQLite's number of both. */
const FULL_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT']
const SQLITE_FULL = 13

/** @returns `disk` where that is the reason of a failure */
export function fullDisk(error: unknown): 'disk' | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return FULL_CODES.includes(code) || errcode === SQLITE_FULL ? 'disk' : undefined
}
