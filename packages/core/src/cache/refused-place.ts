import { existsSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns the file or folder that the system's refusal is about, where that is in the way; else the cache.
 * @param dir folder of the cache, absolute
 */
export function placeOf(error: unknown, dir: string): string {
  const { path: file, code } = error as NodeJS.ErrnoException
  if (file === undefined || code === 'EACCES' || code === 'EPERM') return dir
  // A file stands where a folder is to be, at the cache or below it.
  for (let at = file; at.length >= dir.length; at = path.dirname(at)) if (isFile(at)) return at
  return existsSync(file) ? file : dir
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    // A file above it, perhaps.
    return false
  }
}
