import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Identities of images that a build has tried something with, so that later ones need not look for them among all. */
export interface TriedImages {
  read(): Promise<ReadonlySet<string>>
  /** Adds to them. An identity that cannot be written is looked for in vain later, and nothing else. */
  add(ids: readonly string[]): Promise<void>
}

/** Identities that are kept: those of images that have changed since are of no use, and leave first. */
const MOST_KEPT = 200

/** @param folder absolute, of files that outlive a build */
export function createTriedImages(folder: string): TriedImages {
  const file = path.join(folder, 'tried.json')
  async function read(): Promise<ReadonlySet<string>> {
    try {
      const ids: unknown = JSON.parse(await readFile(file, 'utf8'))
      return new Set(Array.isArray(ids) ? ids.map(String) : [])
    } catch {
      return new Set()
    }
  }
  return {
    read,
    async add(ids) {
      if (ids.length === 0) return
      const all = [...new Set([...(await read()), ...ids])].slice(-MOST_KEPT)
      await mkdir(folder, { recursive: true })
        .then(() => writeFile(file, JSON.stringify(all)))
        .catch(() => undefined)
    },
  }
}
