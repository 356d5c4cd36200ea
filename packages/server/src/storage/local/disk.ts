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

/** What the file system says, or `undefined` where there is no such file. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What a disk refuses is a passing failure of the service. @throws BackendUnavailableError */
export async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackendUnavailableError(`Could not ${what} a file: ${reason}`, { cause: error })
  }
}
