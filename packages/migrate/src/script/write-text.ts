import path from 'node:path'
import { PixpressError } from '@pixpress/core'
import { replaceFile } from '@pixpress/core/internal'

/** Refusals of the file system, with what a person can do. */
const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission. Make the folder writable, and run the command again',
  EPERM: 'there is no permission. Make the folder writable, and run the command again',
  EROFS: 'the file system is read-only. Make it writable, and run the command again',
  ENOSPC: 'the disk is full. Free some space, and run the command again',
}

/**
 * Replaces a file of a project, whole or not at all.
 * @param folder absolute folder of the project
 * @param file relative to it
 * @param mode permissions of the file. Default: those that the system gives
 * @throws PixpressError `IO_FAILED` naming the file and what to do
 */
export async function writeText(folder: string, file: string, text: string, mode?: number): Promise<void> {
  try {
    await replaceFile(path.join(folder, file), text, mode === undefined ? {} : { mode })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const reason = REFUSALS[code] ?? message
    throw new PixpressError('IO_FAILED', `'${file}' cannot be written: ${reason}.`, { file, cause: error })
  }
}
