import { readdirSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { readBytes } from '@pixpress/core/internal'

/** Where a build reads its sources: the disk, or what a compiler puts in its place (`inputFileSystem`). */
export interface Files {
  /** The whole file. @throws Error of the file system */
  readFile(file: string): Promise<Buffer>
  /** `undefined` for what does not exist or cannot be reached. */
  stat(file: string): Promise<FileStat | undefined>
  /** The names in a folder, in any order. @throws Error of the file system */
  readdir(folder: string): Promise<readonly string[]>
}

/** The facts of a file that tell whether it has changed. */
export interface FileStat {
  isFile(): boolean
  /** When the file was last modified, in milliseconds since 1970. */
  readonly mtimeMs: number
  /** Bytes. */
  readonly size: number
  /** The number of the file in its file system. */
  readonly ino: number
}

/** Tells whether there is a file at this path that can be read as one; a folder is none. */
export async function isFile(files: Files, file: string): Promise<boolean> {
  return (await files.stat(file))?.isFile() === true
}

const listings = new Map<string, { mtimeMs: number; names: readonly string[] }>()

/**
 * The disk. Small files and all lookups are read synchronously: that takes microseconds, and handing a thousand of them
 * to the thread pool takes many times as long.
 */
export const diskFiles: Files = {
  readFile: async (file) => readBytes(file),
  async stat(file) {
    try {
      return statSync(file, { throwIfNoEntry: false })
    } catch {
      // There may be something, but not for us to read.
      return undefined
    }
  },
  /** Read once for all the images of a folder, and again when the folder has changed. */
  async readdir(folder) {
    const { mtimeMs } = statSync(folder)
    let listing = listings.get(folder)
    if (listing?.mtimeMs !== mtimeMs) {
      listing = { mtimeMs, names: readdirSync(folder) }
      listings.set(folder, listing)
    }
    return listing.names
  },
}

/** Every file below a folder, sorted; absolute paths. */
export async function filesOf(folder: string, enters: (folder: string) => boolean = () => true): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) return enters(file) ? filesOf(file, enters) : []
      return entry.isFile() ? [file] : []
    }),
  )
  return found.flat().sort()
}
