import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import path from 'node:path'
import { HttpError } from '../http/http-error.ts'
import type { MemoryShare } from '../http/upload-memory.ts'

/** Reasons for which a name leads to no file: for whoever asks they are the same. */
const NO_FILE: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'EACCES',
  'ELOOP',
  'ENAMETOOLONG',
  'EINVAL',
])

/**
 * Reads a file of a folder. Files and folders whose names begin with a dot are not there, nor is what a link leads to
 * that is outside of the folder.
 * @param segments of its path, without steps elsewhere and without slashes
 * @returns `undefined` where there is no such file
 * @throws HttpError `InputTooLarge`, `ServiceUnavailable` when there is no memory for it
 */
export async function readFromFolder(
  folder: string,
  segments: readonly string[],
  { maxBytes, memory }: { readonly maxBytes: number; readonly memory: MemoryShare },
): Promise<Uint8Array | undefined> {
  if (segments.some((segment) => segment.startsWith('.'))) return undefined
  try {
    const root = await realpath(folder)
    const file = await realpath(path.join(root, ...segments))
    if (!file.startsWith(root.endsWith(path.sep) ? root : root + path.sep)) return undefined
    // A pipe would keep this waiting for whoever writes into it. Windows has neither.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const state = await handle.stat()
      if (!state.isFile()) return undefined
      if (state.size > maxBytes) throw originalTooLarge(maxBytes)
      memory.take(state.size)
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (NO_FILE.has((error as NodeJS.ErrnoException).code)) return undefined
    throw error
  }
}

/** The refusal of an original that has too many bytes. */
export function originalTooLarge(maxBytes: number): HttpError {
  return new HttpError('InputTooLarge', `The original of this picture has more bytes than the limit of ${maxBytes}.`)
}
