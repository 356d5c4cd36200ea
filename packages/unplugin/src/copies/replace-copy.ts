import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { replaceFile } from '@pixpress/core/internal'

/** Bytes up to which a file is written at once, which takes a fraction of several turns through the thread pool. */
const AT_ONCE = 256 * 1024

/**
 * Puts smaller contents into a copy that a bundler has just made.
 *
 * A small copy is written over where it lies, as only an unfinished build can lose by a crash between. A new file for
 * each took ext4 more processor time than all else that is done for an image, since it looks for a number that no file
 * had of late, and a rename has it write to the disk at once. A copy that may not be written to, or that is a file of
 * somebody else by a link, is replaced by a new file.
 * @param data no longer than what it replaces
 * @throws the file system's error
 */
export async function replaceCopy(copy: string, data: Uint8Array): Promise<void> {
  if (data.length <= AT_ONCE && writtenOver(copy, data)) return
  await replaceFile(copy, data)
}

/** Tells whether it could be done; where it could not, nothing has changed. */
function writtenOver(copy: string, data: Uint8Array): boolean {
  const descriptor = openOwn(copy)
  if (descriptor === undefined) return false
  try {
    for (let at = 0; at < data.length;) at += writeSync(descriptor, data, at, data.length - at, at)
    ftruncateSync(descriptor, data.length)
    return true
  } finally {
    closeSync(descriptor)
  }
}

/** Opens a file that goes by this one name. Windows cannot tell while it opens it. */
function openOwn(file: string): number | undefined {
  const { O_NOFOLLOW, O_RDWR } = constants as Partial<typeof constants>
  if (O_NOFOLLOW === undefined || O_RDWR === undefined) return undefined
  let descriptor: number
  try {
    descriptor = openSync(file, O_RDWR | O_NOFOLLOW)
  } catch {
    return undefined
  }
  const { nlink, mode } = fstatSync(descriptor)
  if (nlink === 1 && (mode & WRITABLE) !== 0) return descriptor
  closeSync(descriptor)
  return undefined
}

/** The permission of a file's owner to write; root may write what nobody else may, and would keep it like that. */
const WRITABLE = 0o200
