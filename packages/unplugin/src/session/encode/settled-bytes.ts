import { createHash } from 'node:crypto'
import type { Files } from '../../base/files.ts'

/**
 * Holds which bytes need no work: those of results, and those of files that the options leave alone. Bundlers put small
 * ones of both into texts, as data URLs.
 */
export interface SettledBytes {
  /** Notes a result. */
  add(data: Uint8Array): void
  /** Notes a file that stays as it is; it need not exist. Absolute path. */
  leave(file: string): void
  has(data: Uint8Array, files: Files): Promise<boolean>
  /** Gives the sizes of all of them, in bytes. */
  sizes(files: Files): Promise<ReadonlySet<number>>
}

/** Makes the notes of a session. */
export function createSettledBytes(): SettledBytes {
  const made = new Set<string>()
  const sizes = new Set<number>()
  const left = new Set<string>()
  return {
    add(data) {
      made.add(digestOf(data))
      sizes.add(data.length)
    },
    leave: (file) => void left.add(file),
    async has(data, files) {
      if (made.has(digestOf(data))) return true
      for (const file of left) {
        const found = await files.stat(file)
        if (found?.size === data.length && (await files.readFile(file)).equals(data)) return true
      }
      return false
    },
    async sizes(files) {
      const stats = await Promise.all([...left].map((file) => files.stat(file)))
      return new Set([...sizes, ...stats.map((found) => found?.size ?? 0)])
    },
  }
}

const digestOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('base64url')
