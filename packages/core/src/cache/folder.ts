import fs from 'node:fs/promises'
import path from 'node:path'
import { isCacheKey } from './store.ts'
import { systemErrorCode } from '../base/system-error.ts'

/** A file of the cache folder. */
export interface CacheFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly modified: number
}

/** A file of an entry. */
export interface CachedFile extends CacheFile {
  readonly key: string
}

/** The files of a cache folder. */
export interface CacheFolderListing {
  readonly entries: readonly CachedFile[]
  /** Temporary files: of writers at work, and of those that were killed. */
  readonly temporary: readonly CacheFile[]
}

/** The layout of the folder and the format of the entries; another version never reads this one's files. */
export const LAYOUT_VERSION = 'v1'

const BUCKET = /^[0-9a-f]{2}$/
const TEMPORARY = /^[0-9a-f]{64}\.\d+\.[0-9a-f]+\.tmp$/

/** Where the entry of a key is: `<root>/<first two digits>/<key>`, which keeps folders small. */
export function entryPath(root: string, key: string): string {
  return path.join(root, key.slice(0, 2), key)
}

/**
 * Lists every entry and temporary file below `root`, in no particular order. Files of other names are nobody's
 * business.
 */
export async function listCacheFolder(root: string): Promise<CacheFolderListing> {
  const entries: CachedFile[] = []
  const temporary: CacheFile[] = []
  for (const bucket of await namesIn(root)) {
    if (!BUCKET.test(bucket)) continue
    const names = await namesIn(path.join(root, bucket))
    const files = await Promise.all(names.map((name) => describe(path.join(root, bucket, name))))
    for (const [index, file] of files.entries()) {
      const name = names[index]!
      if (file === undefined) continue
      if (isCacheKey(name) && name.startsWith(bucket)) entries.push({ ...file, key: name })
      else if (TEMPORARY.test(name)) temporary.push(file)
    }
  }
  return { entries, temporary }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await fs.readdir(folder)
  } catch (error) {
    const code = systemErrorCode(error)
    // A folder that is not there yet, that another process has removed, or that is a stray file, holds no entries.
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

async function describe(file: string): Promise<CacheFile | undefined> {
  try {
    const stats = await fs.stat(file)
    return stats.isFile() ? { path: file, size: stats.size, modified: stats.mtimeMs } : undefined
  } catch (error) {
    // Another process has evicted or renamed it since the folder was read.
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
