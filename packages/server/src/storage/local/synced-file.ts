import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { toWholePages } from '../../http/page-memory.ts'

/**
 * Makes a new file for this user alone, whose bytes are on the disk when it resolves. Bytes in memory of
 * `allocatePages` go past the system's page cache where it can be: an upload is hardly ever read again, and caching it
 * takes far more processor time than all else the server does with it.
 */
export async function writeSynced(name: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(name, 'wx', 0o600)
  try {
    const whole = toWholePages(bytes)
    const isWritten = whole !== undefined && (await writeDirectly(name, whole))
    if (isWritten) await handle.truncate(bytes.length)
    else await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** @returns `false`, and the file empty, where the system or the file system has no such writing */
async function writeDirectly(name: string, pages: Uint8Array): Promise<boolean> {
  // Linux alone has the flag. https://man7.org/linux/man-pages/man2/open.2.html
  if (constants.O_DIRECT === undefined) return false
  let handle: FileHandle | undefined
  try {
    handle = await open(name, constants.O_WRONLY | constants.O_DIRECT)
    await handle.writeFile(pages)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
    await handle?.truncate(0)
    return false
  } finally {
    await handle?.close()
  }
}
