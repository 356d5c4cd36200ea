import { readdirSync, statSync } from 'node:fs'
import { readAs } from './reading.ts'

/** Which folders hold models. */
export interface ModelFolders {
  has(folder: string): boolean
}

/**
 * A folder is listed once, and again when it has changed: a thousand images of one folder would list it a thousand
 * times.
 */
export function createModelFolders(): ModelFolders {
  const known = new Map<string, { changed: number; hasModel: boolean }>()
  return {
    has(folder) {
      const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs
      // The file is not on the disk.
      if (changed === undefined) return false
      let entry = known.get(folder)
      if (entry?.changed !== changed) {
        entry = { changed, hasModel: readdirSync(folder).some((name) => readAs(name) === 'model') }
        known.set(folder, entry)
      }
      return entry.hasModel
    },
  }
}
