import { stat } from 'node:fs/promises'
import path from 'node:path'
import { nameIn, openBuilt, projectCacheFolder, readWhole } from '@pixpress/core/internal'
import type { WholeBuild } from '@pixpress/core/internal'
import type { CompressSettings } from '../compress/settings.ts'
import type { BuiltImages } from './built-images.ts'
import { createDeliveredLookup } from './delivered-lines.ts'
import type { DeliveredLookup } from './delivered-lines.ts'
import type { ImageTable } from './image-table.ts'

/** Tells what the last builds on this machine shipped, by the records in their caches. */
export interface BuildRecords {
  /** `undefined`: no build has left a record. */
  readonly lookup: DeliveredLookup | undefined
  /**
   * Returns the bytes of a file that the last whole build of its project did not ship, although it was there; else
   * `undefined`.
   */
  unshippedBytes(file: string): Promise<number | undefined>
}

interface RecordTask {
  readonly settings: Pick<CompressSettings, 'cache'>
  /** `true` if the project has a lock with lines. */
  readonly isLocked: boolean
  readonly built: Pick<BuiltImages, 'folderOf'>
}

/** Opens the records of the projects that build these images. */
export async function openBuildRecords(
  images: ImageTable,
  all: Uint32Array,
  { settings: { cache }, isLocked, built }: RecordTask,
): Promise<BuildRecords> {
  const projects = new Set<string>()
  for (const at of cache === false ? [] : all) {
    const folder = built.folderOf(images.fileOf(at))
    if (folder !== undefined) projects.add(folder)
  }
  const caches = cache === false ? [] : [...new Set([cache.dir, ...[...projects].map(projectCacheFolder)])]
  const lookups: DeliveredLookup[] = []
  const wholes: { readonly dir: string; readonly of: Readonly<Record<string, WholeBuild>> }[] = []
  for (const dir of projects.size === 0 ? [] : caches) {
    const record = await openBuilt(dir)
    if (record.lines.length > 0) lookups.push(createDeliveredLookup(record))
    wholes.push({ dir, of: await readWhole(dir) })
  }
  return {
    lookup: lookups.length === 0 ? undefined : firstOf(lookups),
    async unshippedBytes(file) {
      const folder = built.folderOf(file)
      const found = folder && wholes.find(({ dir, of }) => of[nameIn(dir, folder)] !== undefined)
      if (!found) return undefined
      const { began, unchanged, ...build } = found.of[nameIn(found.dir, folder)]!
      // The lines of that build are gone, or another place has them.
      if (build.isLocked !== isLocked) return undefined
      if (unchanged.includes(nameIn(found.dir, path.resolve(file)))) return undefined
      const { ctimeMs, size } = await stat(file)
      // A copy keeps the time of its contents, but not that of its own making.
      return ctimeMs < began ? size : undefined
    },
  }
}

/** Asks one lookup after the other. */
export function firstOf(lookups: readonly DeliveredLookup[]): DeliveredLookup {
  return (...asked) => {
    for (const lookup of lookups) {
      const delivered = lookup(...asked)
      if (delivered !== undefined) return delivered
    }
    return undefined
  }
}
