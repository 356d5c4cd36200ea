import { statSync } from 'node:fs'

/**
 * Whether there is a file at this path that can be read as one; not for a folder or what cannot be reached. Looked up at once:
 * that takes microseconds, and handing a thousand of them to the thread pool takes many times as long.
 */
export async function isFile(file: string): Promise<boolean> {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    // There may be something, but not for us to read.
    return false
  }
}
